/* Objects by key: duplicate keys, and comparisons with a caller's equality. */
#pragma once

#include "base/hash.h"
#include "json/json.h"

struct json_repeat {
	const struct json *key, *first; /* the later, the earlier */
};

/* Returns the keys that repeat an earlier key, in order, in the arena. Stores
 * their number in *n. */
struct json_repeat *json_keys_repeated(
    const struct json *object, struct arena *, size_t *n);

/* An entry in the table of json_keys_last. */
struct json_member {
	const struct json *value;
};

/* Returns a table, in the arena, of the object's members by name (struct
 * json_member); of duplicate keys, the last counts. */
struct hash_table json_keys_last(const struct json *object, struct arena *);
/* Returns whether no later key of the table's object is the same. */
bool json_keys_is_last(
    const struct hash_table *, const struct json *key, struct arena *);

/* A comparison of two values; `memory` is its scratch memory. */
typedef bool json_equality(
    const struct json *, const struct json *, struct arena *memory);

/* Returns whether both objects have the same number of distinct keys, and
 * `equal` holds for the values of each key of the first object. Of duplicate
 * keys the last counts. If the second object lacks a key, `equal` gets NULL for
 * that value, and decides. */
bool json_keys_equal(const struct json *, const struct json *,
    json_equality *equal, struct arena *memory);

/* Returns whether both lists have the same length, and `equal` holds for the
 * elements of each pair, in order. */
bool json_lists_equal(const struct json *, const struct json *,
    json_equality *equal, struct arena *memory);

/* Returns a copy of the value, in the arena, without the members that a later
 * member with the same key replaces. The source texts of the containers are not
 * changed. */
const struct json *json_keys_once(const struct json *, struct arena *);
