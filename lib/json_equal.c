/* Equality of JSON values. */
#include "hash.h"
#include "json.h"

static bool
strings_equal(const struct json *a, const struct json *b)
{
	struct arena memory = { 0 };
	bool equal;

	if (!(b->flags & JSON_ESCAPED))
		return json_str_is(a, json_raw(b));
	if (!(a->flags & JSON_ESCAPED))
		return json_str_is(b, json_raw(a));
	equal = json_str_is(a, json_text(b, &memory));
	arena_free(&memory);
	return equal;
}

static bool
lists_equal(const struct json *a, const struct json *b)
{
	const struct json *x = json_first(a), *y = json_first(b);

	for (; x != NULL && y != NULL; x = json_next(a, x), y = json_next(b, y))
		if (!json_equal(x, y))
			return false;
	return x == y;
}

/* Whether they have the same members in the same order. */
static bool
objects_alike(const struct json *a, const struct json *b)
{
	const struct json *x = json_first(a), *y = json_first(b);

	while (x != NULL && y != NULL) {
		if (!strings_equal(x, y) ||
		    !json_equal(json_value(x), json_value(y)))
			return false;
		x = json_next(a, json_value(x));
		y = json_next(b, json_value(y));
	}
	return x == y;
}

/* An object's members by name; of duplicates the last. */
struct member {
	const struct json *value;
};

static struct hash_table
members_of(const struct json *object, struct arena *a)
{
	struct hash_table table = { .arena = a };

	for (json_members(key, object)) {
		void **place = hash_put(&table, json_text(key, a));
		struct member *m =
		    *place == NULL ? arena_new(a, struct member) : *place;

		m->value = json_value(key);
		*place = m;
	}
	return table;
}

static bool
same_members(const struct json *a, const struct json *b, struct arena *memory)
{
	struct hash_table in_a = members_of(a, memory);
	struct hash_table in_b = members_of(b, memory);

	if (in_a.n != in_b.n)
		return false;
	for (json_members(key, a)) {
		struct str name = json_text(key, memory);
		const struct member *mine = hash_get(&in_a, name);
		const struct member *other = hash_get(&in_b, name);

		if (mine->value != json_value(key))
			continue;
		if (other == NULL || !json_equal(mine->value, other->value))
			return false;
	}
	return true;
}

static bool
objects_equal(const struct json *a, const struct json *b)
{
	struct arena memory = { 0 };
	bool equal;

	if (objects_alike(a, b))
		return true;
	equal = same_members(a, b, &memory);
	arena_free(&memory);
	return equal;
}

bool
json_equal(const struct json *a, const struct json *b)
{
	if (a == NULL || b == NULL || a->type != b->type)
		return a == b;
	switch (a->type) {
	case JSON_NUMBER:
		return json_double(a) == json_double(b);
	case JSON_STRING:
		return strings_equal(a, b);
	case JSON_ARRAY:
		return lists_equal(a, b);
	case JSON_OBJECT:
		return objects_equal(a, b);
	default:
		return true;
	}
}
