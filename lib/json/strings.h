/*
 * Where the strings of a JSON text end, found by a kernel for many at a time,
 * and whether they are right: UTF-8, no control characters, no escapes that
 * there are not.
 */
#pragma once

#include "base/str.h"
#include "json/kernel.h"

struct json_strings {
	const struct json_kernel *kernel;
	const char *end;    /* of the text */
	struct str around;  /* what may be read, the text in it */
	const char *window; /* where the blocks begin that were scanned last */
	size_t blocks;      /* how many they are */
	struct json_scan state;
	/* Of the ends in the window, those before `right` close strings that
	 * are right. */
	const uint16_t *next, *right;
	struct json_ends ends;
};

/* Starts at a byte of the text that is in no string. Whatever is around the
 * text may make a string suspicious, but hides nothing: all of a string is
 * within. */
void json_strings_start(struct json_strings *, const struct json_kernel *,
    struct str text, struct str around, const char *from);

/* To be called when there is no next one that is right. Goes to the quote that
 * closes the next string, and returns true if the string is right; else it
 * must be looked at. */
bool json_strings_more(struct json_strings *);

/* Where the next string ends. */
static inline const char *
json_strings_end(const struct json_strings *s, const uint16_t *next)
{
	return s->window + *next;
}

/* Whether the string that ends there has a backslash. */
static inline bool
json_strings_escaped(const struct json_strings *s, const uint16_t *next)
{
	size_t at = *next;

	return s->ends.escaped[at / JSON_BLOCK] >> at % JSON_BLOCK & 1;
}
