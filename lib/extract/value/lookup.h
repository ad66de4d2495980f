/* An object that is searched for many names, most of which it does not have. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

struct lookup {
	const struct json *json;

	/* private: a bit for the first byte of each name; for its last byte and
	 * length; and for the first byte of each name whose value is an object,
	 * in which a path may continue */
	uint64_t initials, endings, nested;

	bool numbers; /* at least one member is a number */
};

/* Scans the names of the value once. The result refers to the value. */
struct lookup lookup_of(const struct json *);

/* Returns the value at that name, or NULL. The name may be a path of names
 * separated by dots; a member whose whole name is the path wins. null counts as
 * none. */
const struct json *lookup_get(const struct lookup *, struct str name);

/* Returns the value of the first name that has one, or NULL. An absent text
 * ends the list of names. */
const struct json *lookup_first(const struct lookup *, const struct str *names);

/* Lets callers write the name as a string literal. */
#define lookup_get(object, ...) lookup_get((object), AS_STR((__VA_ARGS__)))
