#include "unicode.h"

/* The smallest character that needs so many bytes; a shorter form is none. */
static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

static size_t
length_by_lead(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

uint32_t
unicode_decode(struct str text, size_t *length)
{
	const unsigned char *s = (const unsigned char *)text.s;
	size_t n = length_by_lead(s[0]);
	uint32_t c;

	*length = 1;
	if (n == 1)
		return s[0];
	if (n == 0 || n > text.n)
		return UNICODE_REPLACEMENT;
	c = s[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UNICODE_REPLACEMENT;
		c = c << 6 | (s[i] & 0x3fU);
	}
	if (c < least[n] || c > UNICODE_MAX || (c >= 0xd800 && c < 0xe000))
		return UNICODE_REPLACEMENT;
	*length = n;
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
