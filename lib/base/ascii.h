/* Classes of ASCII characters, independent of the locale. Each function takes a
 * byte, a code unit or a character. -1 and values beyond ASCII are in no
 * class. */
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

/* Returns whether the character is in the string `set`. NUL never is. */
static inline bool
ascii_is_among(uint32_t c, const char *set)
{
	return c != '\0' && c < 0x80 && strchr(set, (int)c) != NULL;
}

/* Returns the value of the hexadecimal digit, or -1 for any other character. */
static inline int
ascii_hex(uint32_t c)
{
	if (ascii_is_digit(c))
		return (int)(c - '0');
	c |= 0x20;
	return c - 'a' < 6 ? (int)(c - 'a') + 10 : -1;
}
