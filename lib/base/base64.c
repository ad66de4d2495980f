#include "base/base64.h"

#include <string.h>

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { NO_DIGIT = 64 };

static unsigned
value_of(char c)
{
	const char *at = memchr(digits, c, NO_DIGIT);

	return at == NULL ? NO_DIGIT : (unsigned)(at - digits);
}

bool
base64_read(struct arena *a, struct str text, struct str *bytes)
{
	char *made = arena_alloc(a, text.n + 1);
	size_t n = 0, read = 0, padding = 0;
	unsigned bits = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned value = value_of(text.s[i]);

		if (text.s[i] == '\n' || text.s[i] == '\r')
			continue;
		padding += text.s[i] == '=';
		if (text.s[i] == '=')
			continue;
		if (value == NO_DIGIT || padding > 0)
			return false;
		bits = bits << 6 | value;
		if (++read % 4 != 1)
			made[n++] = (char)(bits >> 2 * ((4 - read % 4) % 4));
	}
	*bytes = (struct str){ made, n };
	return padding <= 2 && (read + padding) % 4 == 0;
}

struct str
base64_print(struct arena *a, struct str bytes)
{
	size_t n = (bytes.n + 2) / 3 * 4;
	char *text = arena_alloc(a, n), *to = text;

	for (size_t i = 0; i < bytes.n; i += 3) {
		uint32_t bits = 0;

		for (size_t j = i; j < i + 3; j++)
			bits = bits << 8 |
			    (j < bytes.n ? (unsigned char)bytes.s[j] : 0);
		for (int shift = 18; shift >= 0; shift -= 6)
			*to++ = digits[bits >> shift & 63];
	}
	memset(text + n - (3 - bytes.n % 3) % 3, '=', (3 - bytes.n % 3) % 3);
	return (struct str){ text, n };
}
