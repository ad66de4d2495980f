#include "fold.h"

#include "../unicode_sets.h"

static const struct unicode_fold ascii[] = {
	{ 'A', 'Z', 1, 'a' - 'A' },
};

static const struct unicode_fold python[] = {
	{ 0x130, 0x130, 1, 'i' - 0x130 },
	{ 0x131, 0x131, 1, 'i' - 0x131 },
	{ 0x1fd3, 0x1fd3, 1, 0x390 - 0x1fd3 },
	{ 0x1fe3, 0x1fe3, 1, 0x3b0 - 0x1fe3 },
	{ 0xfb05, 0xfb05, 1, 0xfb06 - 0xfb05 },
};

/* Whether the set holds one of a run of characters. */
static bool
touches(const struct set *set, const struct unicode_fold *row)
{
	return set_share(set, row->first, row->last) != SET_NONE;
}

/* Adds to more what one step of folding leads to and from. */
static void
step(struct arena *a, const struct set *set, struct set *more,
    const struct unicode_fold *row)
{
	struct unicode_fold to = { row->first + (uint32_t)row->delta,
		row->last + (uint32_t)row->delta, row->step, 0 };

	if (!touches(set, row) && !touches(set, &to))
		return;
	for (uint32_t c = row->first; c <= row->last;
	     c += (uint32_t)row->step) {
		uint32_t folded = c + (uint32_t)row->delta;

		if (set_has(set, c))
			set_add(a, more, folded, folded);
		if (set_has(set, folded))
			set_add(a, more, c, c);
	}
}

static void
close_over(
    struct arena *a, struct set *set, const struct unicode_fold *rows, size_t n)
{
	struct set more = { 0 };

	set_finish(set);
	for (size_t i = 0; i < n; i++)
		step(a, set, &more, &rows[i]);
	set_add_all(a, set, &more);
	set_finish(set);
}

/* Characters that fold to the same one are equal to it and to each other:
 * two rounds. */
void
fold_simple(struct arena *a, struct set *set)
{
	size_t n;
	const struct unicode_fold *rows = unicode_folds(&n);

	close_over(a, set, rows, n);
	close_over(a, set, rows, n);
}

void
fold_python(struct arena *a, struct set *set)
{
	size_t n = sizeof python / sizeof python[0];

	fold_simple(a, set);
	close_over(a, set, python, n);
	close_over(a, set, python, n);
	fold_simple(a, set);
}

void
fold_ascii(struct arena *a, struct set *set)
{
	close_over(a, set, ascii, 1);
}
