#include "yaml/breaks.h"

#include <string.h>

#include "text/unicode.h"

enum { RANGE_MOST = 0x1000 };

/* Each with the range that what stands for it is sought in: of as many bytes,
 * and libyaml takes all of it. */
static const struct {
	struct str character;
	uint32_t first, last;
} breaks[YAML_BREAKS] = {
	{ STR_CONST("\xc2\x85"), 0x400, 0x7ff },
	{ STR_CONST("\u2028"), 0xe000, 0xefff },
	{ STR_CONST("\u2029"), 0xf000, 0xf8ff },
};

static bool
has(struct str text, struct str part)
{
	return str_find(text, part) < text.n;
}

/* A character of the range that the text does not hold; absent if it holds
 * all. */
static struct str
unused(struct arena *a, struct str text, uint32_t first, uint32_t last)
{
	bool held[RANGE_MOST] = { false };
	char *buf = arena_alloc(a, 4);
	size_t length;

	for (size_t i = 0; i < text.n; i += length) {
		uint32_t c = unicode_decode(str_from(text, i), &length);

		if (c >= first && c <= last)
			held[c - first] = true;
	}
	for (uint32_t c = first; c <= last; c++)
		if (!held[c - first])
			return (struct str){ buf, unicode_encode(c, buf) };
	return (struct str){ 0 };
}

static void
replace(char *s, size_t n, struct str from, struct str to)
{
	size_t at;

	while (at = str_find(((struct str){ s, n }), from), at < n) {
		memcpy(s + at, to.s, to.n);
		s += at + to.n;
		n -= at + to.n;
	}
}

struct str
yaml_breaks_hide(struct yaml_breaks *b, struct arena *a, struct str text)
{
	char *copy = NULL;

	*b = (struct yaml_breaks){ 0 };
	for (size_t i = 0; i < YAML_BREAKS; i++) {
		if (!has(text, breaks[i].character))
			continue;
		b->instead[i] =
		    unused(a, text, breaks[i].first, breaks[i].last);
		if (b->instead[i].s == NULL)
			continue;
		if (copy == NULL)
			copy = memcpy(arena_alloc(a, text.n), text.s, text.n);
		replace(copy, text.n, breaks[i].character, b->instead[i]);
	}
	return copy == NULL ? text : (struct str){ copy, text.n };
}

void
yaml_breaks_restore(const struct yaml_breaks *b, char *s, size_t n)
{
	for (size_t i = 0; i < YAML_BREAKS; i++)
		if (b->instead[i].s != NULL)
			replace(s, n, b->instead[i], breaks[i].character);
}
