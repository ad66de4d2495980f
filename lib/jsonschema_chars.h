/* Characters of ASCII, for the formats of JSON Schema. */
#ifndef JSONSCHEMA_CHARS_H
#define JSONSCHEMA_CHARS_H

#include <stdbool.h>
#include <string.h>

static inline bool
among(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_alnum(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

#endif
