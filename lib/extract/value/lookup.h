/* A value that is asked for many names, most of which an object has not. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "json/json.h"

struct lookup {
	const struct json *json;

	/* private: a bit for what each name begins with, and ends in; and for
	 * what each begins with whose value is an object, so that a path may go
	 * on in it */
	uint64_t initials, endings, nested;

	bool numbers; /* a member is a number */
};

/* Looks them over once. */
struct lookup lookup_of(const struct json *);

/* The value at that name, which may be a path of names with dots between; a
 * member of all of the name is taken before. Null counts as none. */
const struct json *lookup_get(const struct lookup *, struct str name);

/* The first of those that the names have; an absent text ends them. */
const struct json *lookup_first(const struct lookup *, const struct str *names);

/* A name may also be a string literal. */
#define lookup_get(object, ...) lookup_get((object), AS_STR((__VA_ARGS__)))
