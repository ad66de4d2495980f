/* UTF-8, as far as everything below unicode.h needs it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the first character of the text has, which is n bytes long;
 * 0 if it begins with no valid UTF-8 (or n is 0). */
size_t utf8_length(const char *text, size_t n);

/* Whether the text is the beginning of a character whose rest is missing. */
bool utf8_is_cut(const char *text, size_t n);

/* Whether the byte is one of a character, behind its first. */
static inline bool
utf8_is_within(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}
