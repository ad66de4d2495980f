#include "json.h"

const char *
json_type_name(const struct json *v)
{
	static const char *const names[] = { "nothing", "null", "a boolean",
		"a boolean", "a number", "a string", "a list", "an object" };

	return names[v == NULL ? 0 : v->type];
}

const struct json *
json_get(const struct json *object, struct str name)
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

/* A bit that tells most other keys from those wanted. */
static inline uint64_t
mark_of(const char *s, size_t n)
{
	return UINT64_C(1) << (((unsigned char)*s + 8 * n) & 63);
}

static uint64_t
marks_of(const struct str *names, size_t n)
{
	uint64_t marks = 0;

	for (size_t i = 0; i < n; i++)
		marks |= mark_of(names[i].s, names[i].n);
	return marks;
}

/* Whether the key may be one of the names that have these marks; 0: any. */
static inline bool
may_be_one(const struct json *key, uint64_t marks)
{
	return marks == 0 || (key->flags & JSON_ESCAPED) ||
	    (marks & mark_of(key->text.s + 1, key->text.n - 2)) != 0;
}

/* The name that the key is, looked for from `next` on; n if it is none. */
static inline size_t
name_of(const struct json *key, const struct str *names, size_t n, size_t next)
{
	for (size_t i = next; i < n; i++)
		if (json_key_is(key, names[i]))
			return i;
	for (size_t i = 0; i < next; i++)
		if (json_key_is(key, names[i]))
			return i;
	return n;
}

enum { MANY = 2 }; /* keys that are no name: others may be none, too */

void
json_pick(const struct json *object, const struct str *names, size_t n,
    const struct json **found)
{
	const struct json *key, *end;
	uint64_t marks = 0; /* of the names, once there were many */
	size_t none = 0, next = 0;

	memset(found, 0, n * sizeof *found);
	if (!json_is(object, JSON_OBJECT))
		return;
	end = object + object->span;
	for (key = object + 1; key < end; key += 1 + key[1].span) {
		size_t name;

		if (!may_be_one(key, marks))
			continue;
		name = name_of(key, names, n, next);
		if (name < n) {
			found[name] = key + 1;
			next = name + 1; /* writers keep to an order */
		} else if (++none == MANY) {
			marks = marks_of(names, n);
		}
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
