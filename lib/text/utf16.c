#include "text/utf16.h"

#include <string.h>

#include "text/unicode.h"

enum { PLANE = 0x10000, LEAD = 0xd800, TRAIL = 0xdc00, TEN_BITS = 0x3ff };

struct utf16
utf16_of(struct arena *a, struct str text)
{
	uint16_t *to = arena_new_n(a, uint16_t, text.n + 1);
	size_t n = 0, used;

	for (; text.n != 0; text = str_from(text, used)) {
		uint32_t c = unicode_decode(text, &used);

		if (c < PLANE) {
			to[n++] = (uint16_t)c;
			continue;
		}
		to[n++] = (uint16_t)(LEAD + ((c - PLANE) >> 10));
		to[n++] = (uint16_t)(TRAIL + (c & TEN_BITS));
	}
	return (struct utf16){ to, n };
}

bool
utf16_equal(struct utf16 a, struct utf16 b)
{
	return a.n == b.n &&
	    (a.n == 0 ||
		memcmp(a.units, b.units, a.n * sizeof a.units[0]) == 0);
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Drops what both texts begin and end with, which costs no edit. */
static void
drop_common(struct utf16 *a, struct utf16 *b)
{
	while (a->n != 0 && b->n != 0 &&
	    a->units[a->n - 1] == b->units[b->n - 1]) {
		a->n--;
		b->n--;
	}
	while (a->n != 0 && b->n != 0 && a->units[0] == b->units[0]) {
		*a = (struct utf16){ a->units + 1, a->n - 1 };
		*b = (struct utf16){ b->units + 1, b->n - 1 };
	}
}

/* Fills the row of a unit `u` of the long text, which is number i from 1, from
 * the row before. Only the cells from `from` to `to` can be at most `most`; the
 * cells beside these become `beyond`. Returns the least of the row. */
static size_t
next_row(const size_t *last, size_t *row, struct utf16 text, uint16_t u,
    size_t from, size_t to, size_t beyond)
{
	size_t best = beyond;

	row[from - 1] = from == 1 ? last[0] + 1 : beyond;
	for (size_t j = from; j <= to; j++) {
		size_t cost = last[j - 1] + (text.units[j - 1] != u);

		cost = least(cost, least(last[j], row[j - 1]) + 1);
		row[j] = least(cost, beyond);
		best = least(best, row[j]);
	}
	if (to < text.n)
		row[to + 1] = beyond;
	return least(best, row[from - 1]);
}

size_t
utf16_distance(struct arena *arena, struct utf16 a, struct utf16 b, size_t most)
{
	size_t *rows[2], beyond;

	drop_common(&a, &b);
	if (a.n < b.n) {
		struct utf16 shorter = a;

		a = b;
		b = shorter;
	}
	most = least(most, a.n); /* no distance is larger than the length */
	beyond = most + 1;
	if (a.n - b.n > most)
		return beyond;
	rows[0] = arena_new_n(arena, size_t, b.n + 1);
	rows[1] = arena_new_n(arena, size_t, b.n + 1);
	for (size_t j = 0; j <= b.n; j++)
		rows[0][j] = least(j, beyond);
	for (size_t i = 1; i <= a.n; i++) {
		size_t from = i > most ? i - most : 1;
		size_t to = least(b.n, i + most);

		if (from > b.n + 1 ||
		    next_row(rows[(i - 1) % 2], rows[i % 2], b, a.units[i - 1],
			from, to, beyond) == beyond)
			return beyond;
	}
	return rows[a.n % 2][b.n];
}
