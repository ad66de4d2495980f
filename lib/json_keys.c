#include "json_keys.h"

#include "hash.h"

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
