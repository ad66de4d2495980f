/*
 * Reads valid UTF-8 forwards and backwards as units: characters, or UTF-16 code
 * units. A position is an offset in bytes; the position of a low surrogate is
 * the middle of the four bytes of its character.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	const unsigned char *s;
	size_t n;
	bool utf16;
};

enum {
	SURROGATE_FIRST = 0xd800,
	SURROGATE_LOW = 0xdc00,
	SURROGATE_LAST = 0xdfff,
};

static inline bool
text_continues(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Reads the character of several bytes whose first byte is at *at. */
static inline uint32_t
text_wide(const struct text *t, size_t *at)
{
	const unsigned char *s = t->s + *at;

	if (s[0] < 0xe0) {
		*at += 2;
		return (s[0] & 0x1fU) << 6 | (s[1] & 0x3fU);
	}
	if (s[0] < 0xf0) {
		*at += 3;
		return (s[0] & 0xfU) << 12 | (s[1] & 0x3fU) << 6 |
		    (s[2] & 0x3fU);
	}
	if (t->utf16) {
		*at += 2;
		return SURROGATE_FIRST - (0x10000 >> 10) +
		    ((s[0] & 7U) << 8 | (s[1] & 0x3fU) << 2 | (s[2] >> 4 & 3U));
	}
	*at += 4;
	return (s[0] & 7U) << 18 | (s[1] & 0x3fU) << 12 | (s[2] & 0x3fU) << 6 |
	    (s[3] & 0x3fU);
}

/* Returns the low surrogate of the character whose middle is at *at. */
static inline uint32_t
text_low(const struct text *t, size_t *at)
{
	const unsigned char *s = t->s + *at;

	*at += 2;
	return SURROGATE_LOW | (s[0] & 0xfU) << 6 | (s[1] & 0x3fU);
}

/* Returns the unit at *at, which is before the end; moves *at behind the
 * unit. */
static inline uint32_t
text_next(const struct text *t, size_t *at)
{
	unsigned char byte = t->s[*at];

	if (byte < 0x80)
		return t->s[(*at)++];
	return text_continues(byte) ? text_low(t, at) : text_wide(t, at);
}

/* Returns the unit before *at, which is not the start; moves *at before the
 * unit. */
static inline uint32_t
text_prev(const struct text *t, size_t *at)
{
	size_t from = *at - 1, after;

	if (t->s[from] < 0x80) {
		*at = from;
		return t->s[from];
	}
	while (text_continues(t->s[from]))
		from--;
	after = from;
	if (!t->utf16 || t->s[from] < 0xf0 || *at - from == 2) {
		*at = from;
		return text_wide(t, &after);
	}
	*at = after = from + 2;
	return text_low(t, &after);
}
