#include "extract/value/lookup.h"

#include <string.h>

/* Returns the bit of a name by its first byte. */
static uint64_t
initial(char first)
{
	return UINT64_C(1) << (first & 63);
}

struct lookup
lookup_of(const struct json *v)
{
	struct lookup o;
	bool escaped = false;

	o.json = v;
	o.initials = o.endings = o.nested = 0;
	o.numbers = false;
	for (json_members(key, v)) {
		struct str name = { key->text.s + 1, key->text.n - 2 };
		size_t at = (size_t)(key - v);
		unsigned end = lookup_ending(name);
		bool alone = (o.endings >> end & 1) == 0 && at <= UINT16_MAX;

		o.initials |= initial(*name.s);
		o.endings |= UINT64_C(1) << end;
		o.at[end] = alone ? (uint16_t)at : 0;
		if (json_is(json_value(key), JSON_OBJECT))
			o.nested |= initial(*name.s);
		escaped |= (key->flags & JSON_ESCAPED) != 0;
		o.numbers |= json_is(json_value(key), JSON_NUMBER);
	}
	if (escaped) {
		o.initials = o.endings = o.nested = UINT64_MAX;
		memset(o.at, 0, sizeof o.at);
	}
	return o;
}

/* Returns the value of the member of that name. Some name of the object begins with the
 * same byte. */
static inline const struct json *
get_whole(const struct lookup *o, struct str name)
{
	unsigned end = lookup_ending(name);
	const struct json *key;

	if ((o->endings >> end & 1) == 0)
		return NULL;
	if (o->at[end] == 0)
		return json_get(o->json, name);
	key = o->json + o->at[end];
	return key->text.n == name.n + 2 &&
		str_same(key->text.s + 1, name.s, name.n)
	    ? key + 1
	    : NULL;
}

static const struct json *
at_path(const struct lookup *o, struct str path)
{
	const struct json *v = get_whole(o, str_cut(&path, '.'));

	while (v != NULL && path.s != NULL)
		v = json_get(v, str_cut(&path, '.'));
	return v;
}

const struct json *
lookup_search(const struct lookup *o, struct str name)
{
	const struct json *found = get_whole(o, name);

	if (found == NULL && (o->nested & initial(*name.s)) != 0)
		found = at_path(o, name);
	return json_is(found, JSON_NULL) ? NULL : found;
}

const struct json *
lookup_first(const struct lookup *o, const struct str *names)
{
	for (; names->s != NULL; names++) {
		const struct json *found = (lookup_get)(o, *names);

		if (found != NULL)
			return found;
	}
	return NULL;
}
