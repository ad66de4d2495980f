/* Changes are found where they are, are none in equal samples, and count only below the
 * level of their family. */
#include "report/tally/change_point.h"

#include <math.h>

#include "tests/unit/unit.h"

enum { POINTS = 12, EACH = 10 };

/* Sets the sums of samples with these hits of EACH runs. */
static void
sum_rates(struct change_sample *before, const size_t *hits, size_t n)
{
	before[0] = (struct change_sample){ 0 };
	for (size_t i = 0; i < n; i++) {
		before[i + 1] = before[i];
		before[i + 1].hits += hits[i];
		before[i + 1].n += EACH;
	}
}

/* Returns the number of changes of one series of rates, and sets the first. */
static size_t
count(const size_t *hits, size_t n, struct change_point *first)
{
	struct change_family family = { .rates = true, .alpha = 0.05 };
	struct change_sample before[POINTS + 1];
	struct arena a = { 0 };
	struct change_point *list;
	size_t found;

	sum_rates(before, hits, n);
	change_family_add(&family, before, n, &a);
	change_family_close(&family);
	CHECK(family.most <= 0.05);
	list = change_points(&family, before, n, &a, &found);
	for (size_t i = 0; i < found; i++) {
		CHECK(list[i].p <= family.most);
		CHECK(list[i].at > 0 && list[i].at < n);
		CHECK(i == 0 || list[i].at > list[i - 1].at);
	}
	if (found != 0)
		*first = list[0];
	arena_free(&a);
	return found;
}

static void
rates(void)
{
	const size_t same[POINTS] = { 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 };
	const size_t none[POINTS] = { 0 };
	const size_t drop[POINTS] = { 9, 10, 9, 9, 10, 9, 9, 2, 3, 2, 3, 2 };
	const size_t dip[POINTS] = { 9, 10, 9, 1, 0, 2, 1, 9, 10, 9, 9, 10 };
	struct change_point first;

	for (size_t n = 0; n <= POINTS; n++) {
		CHECK(count(same, n, &first) == 0);
		CHECK(count(none, n, &first) == 0);
	}
	CHECK(count(drop, POINTS, &first) == 1 && first.at == 7);
	CHECK(first.side[0].hits == 65 && first.side[0].n == 70);
	CHECK(first.side[1].hits == 12 && first.side[1].n == 50);
	CHECK(count(drop, 8, &first) == 1 && first.at == 7);
	CHECK(count(dip, POINTS, &first) == 2 && first.at == 3);
}

/* Returns the number of changes of amounts of which five are in each sample: from
 * `at` on `times` as large. */
static size_t
count_amounts(size_t at, double times, double margin)
{
	struct change_family family = { .margin = margin, .alpha = 0.05 };
	struct change_sample before[POINTS + 1] = { { 0 } };
	struct arena a = { 0 };
	size_t found;

	for (size_t i = 0; i < POINTS; i++) {
		struct change_sample *s = &before[i + 1];

		*s = before[i];
		for (int j = 0; j < 5; j++) {
			double x = (i < at ? 1 : times) * (100 + 7 * j);

			s->n++;
			s->sum += x;
			s->squares += x * x;
			s->logs += log1p(x);
			s->log_squares += log1p(x) * log1p(x);
		}
	}
	change_family_add(&family, before, POINTS, &a);
	change_family_close(&family);
	change_points(&family, before, POINTS, &a, &found);
	arena_free(&a);
	return found;
}

static void
amounts(void)
{
	struct change_sample one = { .n = 1, .sum = 3, .squares = 9 };

	CHECK(count_amounts(5, 1, 0) == 0);
	CHECK(count_amounts(5, 1.5, 0.2) == 1);
	CHECK(count_amounts(5, 0.5, 0.2) == 1);
	CHECK(count_amounts(5, 1.15, 0.2) == 0);
	CHECK(count_amounts(5, 1.15, 0.1) == 1);
	CHECK(change_mean(&one) == 3);
	CHECK(isnan(change_interval(&one).low));
}

/* Places that cannot be significant do not make the others less so. */
static void
families(void)
{
	const size_t all[POINTS] = { 10, 10, 10, 10, 10, 10 };
	const size_t half[POINTS] = { 10, 10, 10, 0, 0, 0 };
	struct change_family alone = { .rates = true, .alpha = 0.05 };
	struct change_family many = alone;
	struct change_sample before[POINTS + 1];
	struct arena a = { 0 };

	sum_rates(before, half, 6);
	change_family_add(&alone, before, 6, &a);
	change_family_add(&many, before, 6, &a);
	sum_rates(before, all, 6);
	for (size_t i = 0; i < 1000; i++)
		change_family_add(&many, before, 6, &a);
	change_family_close(&alone);
	change_family_close(&many);
	CHECK(alone.most == 0.05 / 5 && many.most == alone.most);
	arena_free(&a);
}

int
main(void)
{
	rates();
	amounts();
	families();
	return unit_status();
}
