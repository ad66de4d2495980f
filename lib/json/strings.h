/*
 * Finds the ends of the strings of a JSON text, many at a time with a kernel,
 * and whether the strings are valid: UTF-8, no control characters, no unknown
 * escapes.
 */
#pragma once

#include "base/str.h"
#include "json/kernel.h"

struct json_strings {
	const struct json_kernel *kernel;
	const char *end;    /* end of the text */
	struct str around;  /* memory that may be read; contains the text */
	const char *window; /* start of the blocks that were scanned last */
	size_t blocks;      /* number of these blocks */
	struct json_scan state;
	/* Positions in ends.at: the next string end, and the end of those that
	 * are known to be valid. */
	const uint16_t *next, *right;
	struct json_ends ends;
};

/* Starts at a byte of the text that is not in a string. Bytes around the text
 * may make a string suspicious, but cannot hide a mistake: each string lies
 * completely within the text. */
void json_strings_start(struct json_strings *, const struct json_kernel *,
    struct str text, struct str around, const char *from);

/* Moves to the closing quote of the next string; a caller calls this when no
 * valid string end is left. Returns whether the string is known to be valid; if
 * not, the string must be checked. */
bool json_strings_more(struct json_strings *);

/* Returns the place of a string end. */
static inline const char *
json_strings_end(const struct json_strings *s, const uint16_t *next)
{
	return s->window + *next;
}

/* Returns whether the string with this end has a backslash. */
static inline bool
json_strings_escaped(const struct json_strings *s, const uint16_t *next)
{
	size_t at = *next;

	return s->ends.escaped[at / JSON_BLOCK] >> at % JSON_BLOCK & 1;
}
