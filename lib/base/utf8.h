/* The structure of UTF-8. text/unicode.h decodes characters. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns the number of bytes of the first character of a text of n bytes, or 0
 * if the text does not begin with valid UTF-8 (or n is 0). */
size_t utf8_length(const char *text, size_t n);

/* Returns whether the text is the beginning of a character whose other bytes
 * are missing. */
bool utf8_is_cut(const char *text, size_t n);

/* Returns whether the byte is a continuation byte: a byte of a character behind
 * its first byte. */
static inline bool
utf8_is_within(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}
