/* Percentiles are exact of few amounts and off by 0.4 % at most of many;
 * neither order nor merging matters. */
#include "report/tally/quantiles.h"
#include "tests/unit/unit.h"

#include <stdlib.h>

/* Returns the amount of an index: the amounts spread over several powers of two. */
static int64_t
humanize_of(size_t i, size_t different)
{
	uint64_t n = i % different;

	return (int64_t)(n * n * 7 + n);
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool
is_near(int64_t got, int64_t want, bool exact)
{
	int64_t off = got > want ? got - want : want - got;

	return exact ? off == 0 : off * 256 <= want;
}

static void
check_amounts(size_t n, size_t different, struct arena *a)
{
	int64_t *sorted = arena_new_n(a, int64_t, n);
	struct quantiles s = { 0 };
	bool exact = different <= QUANTILES_EXACT;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = humanize_of(i, different);
		quantiles_add(&s, sorted[i], 1, a);
	}
	qsort(sorted, n, sizeof sorted[0], compare);
	CHECK(s.rounded == !exact);
	CHECK(s.low == sorted[0] && s.high == sorted[n - 1]);
	for (size_t percent = 0; percent <= 100; percent++) {
		size_t rank = (n * percent + 99) / 100;
		int64_t want = sorted[rank == 0 ? 0 : rank - 1];

		CHECK(is_near(
		    quantiles_percentile(&s, (double)percent), want, exact));
	}
}

static bool
is_same(const struct quantiles *s, const struct quantiles *t)
{
	if (s->n != t->n || s->rounded != t->rounded || s->times != t->times ||
	    s->low != t->low || s->high != t->high)
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->bins[i].amount != t->bins[i].amount ||
		    s->bins[i].times != t->bins[i].times)
			return false;
	return true;
}

/* All in one, and in parts that are merged from the right and the left. */
static void
check_merge(size_t n, size_t different, struct arena *a)
{
	struct quantiles all = { 0 }, parts[3] = { 0 }, left = { 0 },
			 right = { 0 };

	for (size_t i = 0; i < n; i++) {
		int64_t humanize = humanize_of(n - 1 - i, different);

		quantiles_add(&all, humanize_of(i, different), 1, a);
		quantiles_add(&parts[humanize % 3], humanize, 1, a);
	}
	for (size_t i = 0; i < 3; i++) {
		quantiles_merge(&left, &parts[i], a);
		quantiles_merge(&right, &parts[2 - i], a);
	}
	CHECK(is_same(&all, &left));
	CHECK(is_same(&all, &right));
}

int
main(void)
{
	const size_t different[] = { 1, 2, 100, QUANTILES_EXACT,
		QUANTILES_EXACT + 1, 3000 };
	struct arena a = { 0 };
	struct quantiles empty = { 0 };

	for (size_t i = 0; i < sizeof different / sizeof different[0]; i++) {
		check_amounts(7001, different[i], &a);
		check_merge(7001, different[i], &a);
	}
	CHECK(quantiles_percentile(&empty, 50) == 0);
	quantiles_add(&empty, INT64_MAX, 1, &a);
	quantiles_clear(&empty);
	quantiles_merge(&empty, &empty, &a);
	CHECK(empty.times == 0);
	arena_free(&a);
	return unit_status();
}
