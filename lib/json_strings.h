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

enum { JSON_WINDOW = 64 }; /* blocks that are scanned at a time, at most */

struct json_strings {
	const struct json_kernel *kernel;
	const char *start, *end; /* the text */
	const char *bad;
	const char *window; /* where the blocks begin that were scanned last */
	size_t blocks;      /* how many they are */
	struct json_scan state;
	/* What was found in them. Then there is one more, with a quote: it
	 * ends the search. */
	struct json_found found[JSON_WINDOW + 1];
};

/* Starts at a byte of the text that is in no string. */
void json_strings_start(struct json_strings *, const struct json_kernel *,
    struct str text, const char *from);

/* The quote that closes the string which begins with the one at p, or the
 * text's end. Asked in order. */
const char *json_strings_far_end(struct json_strings *, const char *p);

/* The same, at once where it is near: most strings are short. */
static inline const char *
json_strings_end(struct json_strings *s, const char *p)
{
	size_t at = (size_t)(p + 1 - s->window), i = at / JSON_BLOCK;
	uint64_t quote = 0;

	if (i < s->blocks)
		quote = s->found[i].quote >> at % JSON_BLOCK;
	if (quote == 0)
		return json_strings_far_end(s, p);
	return p + 1 + __builtin_ctzll(quote);
}

/* Whether the string that was last found to end at p has a backslash. */
static inline bool
json_strings_escaped(const struct json_strings *s, const char *p)
{
	size_t at = (size_t)(p - s->window);

	return s->found[at / JSON_BLOCK].escaped >> at % JSON_BLOCK & 1;
}

#endif
