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

/* A row of the table of distances, and the row before. The cells from `from` to
 * `to` are those that can be less than `beyond`. */
struct row {
	const size_t *before;
	size_t *cells;
	size_t from, to, beyond;
};

/* Fills the row of a unit of the long text. The cells beside those that count
 * become `beyond`. Returns the least of the row. */
static size_t
fill(const struct row *r, struct utf16 text, uint16_t unit)
{
	size_t best, *cells = r->cells;

	cells[r->from - 1] = r->from == 1 ? r->before[0] + 1 : r->beyond;
	best = least(r->beyond, cells[r->from - 1]);
	for (size_t j = r->from; j <= r->to; j++) {
		size_t cost = r->before[j - 1] + (text.units[j - 1] != unit);

		cost = least(cost, least(r->before[j], cells[j - 1]) + 1);
		cells[j] = least(cost, r->beyond);
		best = least(best, cells[j]);
	}
	if (r->to < text.n)
		cells[r->to + 1] = r->beyond;
	return best;
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
		struct row r = { rows[(i - 1) % 2], rows[i % 2],
			i > most ? i - most : 1, least(b.n, i + most), beyond };

		if (r.from > b.n + 1 || fill(&r, b, a.units[i - 1]) == beyond)
			return beyond;
	}
	return rows[a.n % 2][b.n];
}
