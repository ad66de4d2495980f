#include "json/keys.h"

struct json_repeat *
json_keys_repeated(const struct json *object, struct arena *a, size_t *n)
{
	struct hash_table seen = { .arena = a };
	struct json_repeat *list = NULL;

	*n = 0;
	if (!json_is(object, JSON_OBJECT) || object->span <= 3)
		return NULL;
	for (json_members(key, object)) {
		void **slot = hash_put(&seen, json_text(key, a));
		const struct json **first = *slot;

		if (first != NULL) {
			*arena_push(a, list, *n) =
			    (struct json_repeat){ key, *first };
			continue;
		}
		*slot = first = arena_new(a, const struct json *);
		*first = key;
	}
	return list;
}

struct hash_table
json_keys_last(const struct json *object, struct arena *a)
{
	struct hash_table table = { .arena = a };

	for (json_members(key, object)) {
		void **slot = hash_put(&table, json_text(key, a));
		struct json_member *m =
		    *slot == NULL ? arena_new(a, struct json_member) : *slot;

		m->value = json_value(key);
		*slot = m;
	}
	return table;
}

bool
json_keys_is_last(
    const struct hash_table *table, const struct json *key, struct arena *a)
{
	const struct json_member *last = hash_get(table, json_text(key, a));

	return last->value == json_value(key);
}

bool
json_keys_equal(const struct json *a, const struct json *b,
    json_equality *equal, struct arena *memory)
{
	struct hash_table in_a = json_keys_last(a, memory);
	struct hash_table in_b = json_keys_last(b, memory);

	if (in_a.n != in_b.n)
		return false;
	for (json_members(key, a)) {
		const struct json_member *other;

		if (!json_keys_is_last(&in_a, key, memory))
			continue;
		other = hash_get(&in_b, json_text(key, memory));
		if (!equal(json_value(key), other == NULL ? NULL : other->value,
			memory))
			return false;
	}
	return true;
}

bool
json_lists_equal(const struct json *a, const struct json *b,
    json_equality *equal, struct arena *memory)
{
	const struct json *x = json_first(a), *y = json_first(b);

	for (; x != NULL && y != NULL; x = json_next(a, x), y = json_next(b, y))
		if (!equal(x, y, memory))
			return false;
	return x == y;
}

/* Returns the number of values in the copy. */
static uint32_t
copy_once(const struct json *v, struct json *to, struct arena *a)
{
	struct hash_table last = json_is(v, JSON_OBJECT)
	    ? json_keys_last(v, a)
	    : (struct hash_table){ 0 };
	uint32_t n = 1;

	*to = *v;
	for (json_each(item, v))
		n += copy_once(item, to + n, a);
	for (json_members(key, v))
		if (json_keys_is_last(&last, key, a)) {
			to[n++] = *key;
			n += copy_once(json_value(key), to + n, a);
		}
	to->span = n;
	return n;
}

const struct json *
json_keys_once(const struct json *v, struct arena *a)
{
	struct json *copy = arena_new_n(a, struct json, v->span);

	copy_once(v, copy, a);
	return copy;
}
