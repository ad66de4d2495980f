/* Characters of ASCII, whatever the locale. Each function takes a byte, a code
 * unit or a character; -1 and what is beyond ASCII are none of these. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool
ascii_is_digit(uint32_t c)
{
	return c - '0' < 10;
}

static inline bool
ascii_is_letter(uint32_t c)
{
	return (c | 0x20) - 'a' < 26;
}

static inline bool
ascii_is_alnum(uint32_t c)
{
	return ascii_is_digit(c) || ascii_is_letter(c);
}

/* Whether it is one of the set's. */
static inline bool
ascii_is_among(uint32_t c, const char *set)
{
	return c != '\0' && c < 0x80 && strchr(set, (int)c) != NULL;
}

/* What it is worth as a hexadecimal digit, or -1. */
static inline int
ascii_hex(uint32_t c)
{
	if (ascii_is_digit(c))
		return (int)(c - '0');
	c |= 0x20;
	return c - 'a' < 6 ? (int)(c - 'a') + 10 : -1;
}
