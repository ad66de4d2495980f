/* Keys that stand in an object more than once. */
#ifndef JSON_KEYS_H
#define JSON_KEYS_H

#include "json.h"

struct json_repeat {
	const struct json *key, *first; /* which is the same as before */
};

/* The keys that repeat one before them, in order, in the arena; *n of them. */
struct json_repeat *json_keys_repeated(
    const struct json *object, struct arena *, size_t *n);

#endif
