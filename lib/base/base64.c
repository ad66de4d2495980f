#include "base/base64.h"

#include <string.h>

enum { NO_DIGIT = 64 };

static unsigned
digit(char c)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = memchr(digits, c, NO_DIGIT);

	return at == NULL ? NO_DIGIT : (unsigned)(at - digits);
}

bool
base64_read(struct arena *a, struct str text, struct str *bytes)
{
	char *made = arena_alloc(a, text.n + 1);
	size_t n = 0, digits = 0, padding = 0;
	unsigned bits = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned value = digit(text.s[i]);

		if (text.s[i] == '\n' || text.s[i] == '\r')
			continue;
		padding += text.s[i] == '=';
		if (text.s[i] == '=')
			continue;
		if (value == NO_DIGIT || padding > 0)
			return false;
		bits = bits << 6 | value;
		if (++digits % 4 != 1)
			made[n++] = (char)(bits >> 2 * ((4 - digits % 4) % 4));
	}
	*bytes = (struct str){ made, n };
	return padding <= 2 && (digits + padding) % 4 == 0;
}
