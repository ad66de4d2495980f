#include "extract/value/lookup.h"

/* Returns the bit of a name by its first byte. */
static uint64_t
initial(char first)
{
	return UINT64_C(1) << (first & 63);
}

/* Returns the bit of a name by its last byte and its length. */
static uint64_t
ending(const char *last, size_t n)
{
	return UINT64_C(1) << ((*last + 5 * n) & 63);
}

struct lookup
lookup_of(const struct json *v)
{
	struct lookup o = { .json = v };

	for (json_members(key, v)) {
		const char *name = key->text.s + 1;
		size_t n = key->text.n - 2;

		o.initials |= initial(*name);
		o.endings |= ending(name + n - 1, n);
		if (json_is(json_value(key), JSON_OBJECT))
			o.nested |= initial(*name);
		if (key->flags & JSON_ESCAPED)
			o.initials = o.endings = o.nested = UINT64_MAX;
		o.numbers |= json_is(json_value(key), JSON_NUMBER);
	}
	return o;
}

/* Returns whether the object may have a member of that name. Some name of the
 * object begins with the same byte. */
static inline bool
may_have(const struct lookup *o, struct str name)
{
	return (o->endings & ending(name.s + name.n - 1, name.n)) != 0;
}

static const struct json *
at_path(const struct lookup *o, struct str path)
{
	struct str first = str_cut(&path, '.');
	const struct json *v;

	if (path.s == NULL || !may_have(o, first))
		return NULL;
	for (v = json_get(o->json, first); v != NULL && path.s != NULL;)
		v = json_get(v, str_cut(&path, '.'));
	return v;
}

static inline const struct json *
get_name(const struct lookup *o, struct str name)
{
	const struct json *found = NULL;

	if ((o->initials & initial(*name.s)) == 0)
		return NULL;
	if (may_have(o, name))
		found = json_get(o->json, name);
	if (found == NULL && (o->nested & initial(*name.s)) != 0)
		found = at_path(o, name);
	return json_is(found, JSON_NULL) ? NULL : found;
}

const struct json *(lookup_get)(const struct lookup *o, struct str name)
{
	return get_name(o, name);
}

const struct json *
lookup_first(const struct lookup *o, const struct str *names)
{
	for (; names->s != NULL; names++) {
		const struct json *found = get_name(o, *names);

		if (found != NULL)
			return found;
	}
	return NULL;
}
