#include "ansi.h"

enum {
	BEL = 0x07,
	CAN = 0x18,
	SUB = 0x1a,
	ESC = 0x1b,
};

static bool
within(char c, unsigned char low, unsigned char high)
{
	return (unsigned char)c >= low && (unsigned char)c <= high;
}

/* A sequence up to its last byte, which is in `low` to '~'; controls within it
 * stand on their own and go to the copy. */
static size_t
sequence(struct str text, size_t at, unsigned char low, char *copy, size_t *n)
{
	for (; at < text.n; at++) {
		char c = text.s[at];

		if (c == ESC || !within(c, 0, '~'))
			return at;
		if (c == CAN || c == SUB || within(c, low, '~'))
			return at + 1;
		if (within(c, 0, 0x1f))
			copy[(*n)++] = c;
	}
	return at;
}

/* A string up to its end: ESC, which begins "ESC \\", or, of OSC, BEL. */
static size_t
string(struct str text, size_t at, bool bel)
{
	for (; at < text.n; at++) {
		char c = text.s[at];

		if (c == ESC)
			return at;
		if (c == CAN || c == SUB || (bel && c == BEL))
			return at + 1;
	}
	return at;
}

/* Behind an ESC. */
static size_t
escape(struct str text, size_t at, char *copy, size_t *n)
{
	if (at == text.n)
		return at;
	switch (text.s[at]) {
	case '[':
		return sequence(text, at + 1, '@', copy, n);
	case ']':
		return string(text, at + 1, true);
	case 'P':
	case 'X':
	case '^':
	case '_':
		return string(text, at + 1, false);
	default:
		return sequence(text, at, '0', copy, n);
	}
}

struct str
ansi_strip(struct arena *a, struct str text)
{
	size_t at = str_find_char(text, ESC), n = 0;
	char *copy;

	if (at == text.n)
		return text;
	copy = arena_alloc(a, text.n);
	for (at = 0; at < text.n;) {
		if (text.s[at] == ESC)
			at = escape(text, at + 1, copy, &n);
		else
			copy[n++] = text.s[at++];
	}
	return (struct str){ copy, n };
}
