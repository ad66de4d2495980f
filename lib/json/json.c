#include "json/json.h"

const char *
json_type_name(const struct json *v)
{
	static const char *const names[] = { "nothing", "null", "a boolean",
		"a boolean", "a number", "a string", "a list", "an object" };

	return names[v == NULL ? 0 : v->type];
}

const struct json *(json_get)(const struct json *object, struct str name)
{
	const struct json *found = NULL, *end;

	if (!json_is(object, JSON_OBJECT))
		return NULL;
	end = object + object->span;
	for (const struct json *key = object + 1; key < end;
	     key += 1 + key[1].span)
		if (json_key_is(key, name))
			found = key + 1;
	return found;
}

bool
json_has(const struct json *object, const char *name)
{
	return json_get(object, str_of(name)) != NULL;
}

enum { SHORT = 16 }; /* bytes of a name that str_same compares at once */

/* Returns the first name of this length, or NULL. */
static inline const struct str *
of_length(const struct str *name, const struct str *last, size_t length)
{
	for (; name < last; name++)
		if (name->n == length)
			return name;
	return NULL;
}

/* Returns the first name that equals the key, from `next` to `last`, or else before
 * `next`; or NULL. */
static __attribute__((noinline)) const struct str *
name_of(const struct json *key, const struct str *names, const struct str *next,
    const struct str *last)
{
	for (const struct str *name = next; name < last; name++)
		if (str_eq(*name, json_raw(key)))
			return name;
	if (key->flags & JSON_ESCAPED)
		next = last;
	for (const struct str *name = names; name < next; name++)
		if (json_key_is(key, *name))
			return name;
	return NULL;
}

void
json_pick(const struct json *object, const struct str *names, size_t n,
    const struct json **found)
{
	const struct str *last = names + n, *next = names;
	const struct json *end;

	memset(found, 0, n * sizeof *found);
	if (!json_is(object, JSON_OBJECT))
		return;
	end = object + object->span;
	for (const struct json *key = object + 1; key < end;
	     key += 1 + key[1].span) {
		size_t length = key->text.n - 2;
		/* Most writers keep an order. */
		const struct str *name = of_length(next, last, length);

		if (name == NULL || length > SHORT ||
		    !str_same(name->s, key->text.s + 1, length)) {
			name = name_of(key, names, next, last);
			if (name == NULL)
				continue;
		}
		found[name - names] = key + 1;
		next = name + 1;
	}
}

const struct json *
json_path(const struct json *v, const char *names)
{
	struct str rest = str_of(names);

	while (rest.s != NULL && v != NULL)
		v = json_get(v, str_cut(&rest, '.'));
	return v;
}

const struct json *
json_at(const struct json *list, size_t index)
{
	for (json_each(v, list))
		if (index-- == 0)
			return v;
	return NULL;
}

const struct json *
json_last(const struct json *list)
{
	const struct json *last = NULL;

	for (json_each(v, list))
		last = v;
	return last;
}

size_t
json_count(const struct json *container)
{
	size_t n = 0;

	for (json_each(v, container))
		n++;
	for (json_members(key, container))
		n++;
	return n;
}
