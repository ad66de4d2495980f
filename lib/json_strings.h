/*
 * Where the strings of a JSON text end, found by a kernel for many at a time,
 * and whether they are right: UTF-8, no control characters, no escapes that
 * there are not. A string that ends before `bad` is right; from there on it
 * must be looked at.
 */
#ifndef JSON_STRINGS_H
#define JSON_STRINGS_H

#include "json_kernel.h"
#include "str.h"

struct json_strings {
	const struct json_kernel *kernel;
	const char *start, *end; /* the text */
	const char *bad;
	const char *block; /* the next string's end is looked for here: */
	const struct json_found *found; /* what is in it, */
	uint64_t ends;                  /* of that, what was not given yet */
	const char *window; /* where the blocks begin that were scanned last */
	size_t blocks;      /* how many they are */
	struct json_scan state;
	/* Of each block in the window. Then there is one more, in which a
	 * string ends: that ends the search. */
	struct json_found in_block[JSON_WINDOW + 1];
};

/* Starts at a byte of the text that is in no string. */
void json_strings_start(struct json_strings *, const struct json_kernel *,
    struct str text, const char *from);

/* Goes to the next block in which a string ends. False at the text's end. */
bool json_strings_on(struct json_strings *);

/* The quote that closes the next string, or the text's end, and whether the
 * string has a backslash. To be asked once for each, in order. */
static inline const char *
json_strings_next(struct json_strings *s, bool *escaped)
{
	int at;

	if (s->ends == 0 && !json_strings_on(s))
		return s->end;
	at = __builtin_ctzll(s->ends);
	s->ends &= s->ends - 1;
	*escaped = s->found->escaped >> at & 1;
	return s->block + at;
}

#endif
