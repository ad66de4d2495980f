/* Equality of JSON values. */
#include "base/hash.h"
#include "json/json.h"
#include "json/keys.h"

static bool
escaped_equal(const struct json *a, const struct json *b)
{
	struct arena memory = { 0 };
	bool equal = json_str_is(a, json_text(b, &memory));

	arena_free(&memory);
	return equal;
}

static inline bool
strings_equal(const struct json *a, const struct json *b)
{
	return (a->flags | b->flags) & JSON_ESCAPED ? escaped_equal(a, b)
						    : str_eq(a->text, b->text);
}

static bool
same_keys(const struct json *a, const struct json *b)
{
	const struct json *x = json_first(a), *y = json_first(b);

	while (x != NULL && y != NULL) {
		if (!strings_equal(x, y))
			return false;
		x = json_next(a, json_value(x));
		y = json_next(b, json_value(y));
	}
	return x == y;
}

/* Returns whether the object has the key once more behind this one. */
static bool
is_repeated(const struct json *object, const struct json *key)
{
	const struct json *x = json_next(object, json_value(key));

	while (x != NULL && !strings_equal(x, key))
		x = json_next(object, json_value(x));
	return x != NULL;
}

/* Compares the values of objects with the same keys in the same order. A value
 * that a later duplicate key replaces does not count. Each pair is compared
 * once; otherwise the time for deep values would double with each level. Objects
 * without a duplicate key need no table. */
static bool
values_equal(const struct json *a, const struct json *b, struct arena *memory)
{
	const struct json *x, *y = json_first(b);
	struct hash_table last = { 0 };

	for (x = json_first(a); x != NULL; x = json_next(a, json_value(x))) {
		if (!json_equal(json_value(x), json_value(y))) {
			if (last.n == 0 && !is_repeated(a, x))
				return false;
			if (last.n == 0)
				last = json_keys_last(a, memory);
			if (json_keys_is_last(&last, x, memory))
				return false;
		}
		y = json_next(b, json_value(y));
	}
	return true;
}

static bool
pair_equal(const struct json *a, const struct json *b, struct arena *memory)
{
	(void)memory;
	return json_equal(a, b);
}

static bool
objects_equal(const struct json *a, const struct json *b)
{
	struct arena memory = { 0 };
	bool equal;

	equal = same_keys(a, b) ? values_equal(a, b, &memory)
				: json_keys_equal(a, b, pair_equal, &memory);
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
		return json_lists_equal(a, b, pair_equal, NULL);
	case JSON_OBJECT:
		return objects_equal(a, b);
	default:
		return true;
	}
}
