#include "base/utf8.h"

#include <stdint.h>

/* The length of the character that a lead byte begins (0: the byte begins
 * none), and the bounds of the second byte (Unicode 15, table 3-7). Later bytes
 * are 80..BF. */
struct lead {
	uint8_t length, least, most;
};

static struct lead
lead_of(unsigned char c)
{
	if (c < 0x80)
		return (struct lead){ 1, 0, 0 };
	if (c < 0xc2 || c > 0xf4)
		return (struct lead){ 0, 0, 0 };
	if (c < 0xe0)
		return (struct lead){ 2, 0x80, 0xbf };
	if (c < 0xf0)
		return (struct lead){ 3, c == 0xe0 ? 0xa0 : 0x80,
			c == 0xed ? 0x9f : 0xbf };
	return (
	    struct lead){ 4, c == 0xf0 ? 0x90 : 0x80, c == 0xf4 ? 0x8f : 0xbf };
}

/* Returns how many of the n bytes belong to a valid character with this
 * lead. */
static size_t
matching(const unsigned char *p, size_t n, struct lead lead)
{
	size_t i = 1;

	if (n > lead.length)
		n = lead.length;
	if (n > 1 && (p[1] < lead.least || p[1] > lead.most))
		return 1;
	while (++i < n)
		if ((p[i] & 0xc0) != 0x80)
			return i;
	return n;
}

size_t
utf8_length(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	struct lead lead;

	if (n == 0)
		return 0;
	lead = lead_of(p[0]);
	return matching(p, n, lead) == lead.length ? lead.length : 0;
}

bool
utf8_is_cut(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	struct lead lead;

	if (n == 0)
		return false;
	lead = lead_of(p[0]);
	return n < lead.length && matching(p, n, lead) == n;
}
