/* Keys that stand in an object more than once. */
#pragma once

#include "base/hash.h"
#include "json/json.h"

struct json_repeat {
	const struct json *key, *first; /* which is the same as before */
};

/* The keys that repeat one before them, in order, in the arena; *n of them. */
struct json_repeat *json_keys_repeated(
    const struct json *object, struct arena *, size_t *n);

/* What the next function's table holds by key. */
struct json_member {
	const struct json *value;
};

/* The object's members by name, in the arena; of a key that repeats the last. */
struct hash_table json_keys_last(const struct json *object, struct arena *);
/* Whether no later key of the object that the table is of is the same. */
bool json_keys_is_last(
    const struct hash_table *, const struct json *key, struct arena *);

/* A comparison of two values; `memory` is its scratch memory. */
typedef bool json_equality(
    const struct json *, const struct json *, struct arena *memory);

/* Whether both objects have as many keys, in any order, and of each key of the
 * first equal values; of a key that repeats the last counts. Where the second
 * lacks a key its value is NULL, which is for `equal` to judge. */
bool json_keys_equal(const struct json *, const struct json *,
    json_equality *equal, struct arena *memory);

/* Returns whether both lists have the same length, and `equal` holds for the
 * elements of each pair, in order. */
bool json_lists_equal(const struct json *, const struct json *,
    json_equality *equal, struct arena *memory);

/* The value, in the arena, without the members that a later one of the same key
 * takes the place of. The texts of what they stood in are as they were. */
const struct json *json_keys_once(const struct json *, struct arena *);
