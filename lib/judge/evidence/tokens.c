#include "judge/evidence/tokens.h"

#include <stdint.h>

enum kind {
	BLANK,
	SMALL,
	CAPITAL,
	DIGIT,
	SIGN,
	BEYOND,
	KINDS,
};

static enum kind
kind_of(unsigned char c)
{
	if (c >= 'a' && c <= 'z')
		return SMALL;
	if (c == ' ')
		return BLANK;
	if (c >= 'A' && c <= 'Z')
		return CAPITAL;
	if (c >= '0' && c <= '9')
		return DIGIT;
	return c < 0x80 ? SIGN : BEYOND;
}

/* Tenths of a token, by the kind of the character before (row) and that of the
 * character. */
static const uint8_t tenths[KINDS][KINDS] = {
	[BLANK] = { 1, 3, 6, 12, 10, 5 },
	[SMALL] = { 1, 3, 12, 12, 6, 5 },
	[CAPITAL] = { 1, 3, 6, 12, 6, 5 },
	[DIGIT] = { 1, 9, 12, 6, 6, 5 },
	[SIGN] = { 1, 3, 6, 6, 6, 5 },
	[BEYOND] = { 1, 3, 6, 6, 6, 5 },
};

size_t
tokens_of(struct str text)
{
	enum kind before = SIGN;
	size_t sum = 0;

	for (size_t i = 0; i < text.n; i++) {
		enum kind c = kind_of((unsigned char)text.s[i]);

		sum += tenths[before][c];
		before = c;
	}
	return (sum + 9) / 10;
}
