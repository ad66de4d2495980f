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
	/* For each bit of `endings`, where the one member with that bit is, counted in
	 * values; 0: there are several, or it is far away. */
	uint16_t at[64];

	bool numbers; /* at least one member is a number */
};

/* Scans the names of the value once. The result refers to the value. */
struct lookup lookup_of(const struct json *);

/* Returns whether a name of the object begins with this byte. */
static inline bool
lookup_begins(const struct lookup *o, char first)
{
	return (o->initials >> (first & 63) & 1) != 0;
}

/* Returns the number of a name's bit by its last byte and its length. */
static inline unsigned
lookup_ending(struct str name)
{
	return ((unsigned char)(name.s + name.n)[-1] + 5 * (unsigned)name.n) &
	    63;
}

/* Returns whether the object may have a value at that name. */
static inline bool
lookup_may_have(const struct lookup *o, struct str name)
{
	return lookup_begins(o, *name.s) &&
	    ((o->endings >> lookup_ending(name) & 1) != 0 ||
		(o->nested >> (*name.s & 63) & 1) != 0);
}

/* Like lookup_get, for a name of which lookup_may_have is true. */
const struct json *lookup_search(const struct lookup *, struct str name);

/* Returns the value at that name, or NULL. The name may be a path of names
 * separated by dots; a member whose whole name is the path wins. null counts as
 * none. */
static inline const struct json *
lookup_get(const struct lookup *o, struct str name)
{
	return lookup_may_have(o, name) ? lookup_search(o, name) : NULL;
}

/* Returns the value of the first name that has one, or NULL. An absent text
 * ends the list of names. */
const struct json *lookup_first(const struct lookup *, const struct str *names);

/* Lets callers write the name as a string literal. */
#define lookup_get(object, ...) lookup_get((object), AS_STR((__VA_ARGS__)))
