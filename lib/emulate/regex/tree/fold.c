#include "emulate/regex/tree/fold.h"

#include "text/unicode_sets.h"

/* Everything that ASCII folds to, and everything that folds to ASCII. */
static const struct unicode_fold ascii[] = {
	{ 'A', 'Z', 1, 'a' - 'A' },
	{ 0x17f, 0x17f, 1, 's' - 0x17f },
	{ 0x212a, 0x212a, 1, 'k' - 0x212a },
};

static const struct unicode_fold python[] = {
	{ 0x130, 0x130, 1, 'i' - 0x130 },
	{ 0x131, 0x131, 1, 'i' - 0x131 },
	{ 0x1fd3, 0x1fd3, 1, 0x390 - 0x1fd3 },
	{ 0x1fe3, 0x1fe3, 1, 0x3b0 - 0x1fe3 },
	{ 0xfb05, 0xfb05, 1, 0xfb06 - 0xfb05 },
};

/* Adds to `more` the characters that one row's folding leads to from the set,
 * and those from which it leads into the set. */
static void
step(struct arena *a, const struct set *set, struct set *more,
    const struct unicode_fold *row)
{
	uint32_t delta = (uint32_t)row->delta;
	enum set_share from = set_share(set, row->first, row->last);
	enum set_share to =
	    set_share(set, row->first + delta, row->last + delta);

	if (from == to && from != SET_SOME)
		return;
	for (uint32_t c = row->first; c <= row->last;
	     c += (uint32_t)row->step) {
		bool has = set_has(set, c);
		uint32_t lacking = has ? c + delta : c;

		if (has != set_has(set, c + delta))
			set_add(a, more, lacking, lacking);
	}
}

/* Closes the set over the rows once. Returns whether the set was not closed
 * before. */
static bool
close_over(
    struct arena *a, struct set *set, const struct unicode_fold *rows, size_t n)
{
	struct set more = { 0 };

	set_finish(set);
	for (size_t i = 0; i < n; i++)
		step(a, set, &more, &rows[i]);
	if (more.n == 0)
		return false;
	set_add_all(a, set, &more);
	set_finish(set);
	return true;
}

/* Closes the set in two rounds: characters that fold to the same character are
 * equal to that character and to each other. */
static bool
close_twice(
    struct arena *a, struct set *set, const struct unicode_fold *rows, size_t n)
{
	if (!close_over(a, set, rows, n))
		return false;
	close_over(a, set, rows, n);
	return true;
}

void
fold_simple(struct arena *a, struct set *set)
{
	size_t n = sizeof ascii / sizeof ascii[0];
	const struct unicode_fold *rows = ascii;

	set_finish(set);
	if (set->n != 0 && set->ranges[set->n - 1].high >= 0x80)
		rows = unicode_folds(&n);
	close_twice(a, set, rows, n);
}

void
fold_python(struct arena *a, struct set *set)
{
	size_t n = sizeof python / sizeof python[0];

	fold_simple(a, set);
	if (close_twice(a, set, python, n))
		fold_simple(a, set);
}

void
fold_ascii(struct arena *a, struct set *set)
{
	close_over(a, set, ascii, 1);
}
