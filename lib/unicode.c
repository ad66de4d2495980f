#include "unicode.h"

#include "utf8.h"

uint32_t
unicode_decode(struct str text, size_t *length)
{
	const unsigned char *s = (const unsigned char *)text.s;
	size_t n = utf8_length(text.s, text.n);
	uint32_t c;

	*length = n == 0 ? 1 : n;
	if (n == 0)
		return UNICODE_REPLACEMENT;
	if (n == 1)
		return s[0];
	c = s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3fU);
	return c;
}

size_t
unicode_encode(uint32_t c, char buf[4])
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		buf[i] = (char)(0x80 | (c & 0x3f));
	buf[0] = (char)(n == 1 ? c : (0xf00U >> n & 0xff) | c);
	return n;
}
