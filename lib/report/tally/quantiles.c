#include "report/tally/quantiles.h"

#include <math.h>
#include <string.h>

enum {
	/* The number of leading bits that rounded amounts keep, the first 1
	 * included, so that the middle of a bin is off by at most half of
	 * 1/128. */
	BITS = 8,
};

/* Returns the middle of all amounts that begin with the same bits. */
static int64_t
round_amount(int64_t amount)
{
	int shift;

	if (amount >> BITS == 0)
		return amount;
	shift = 64 - BITS - __builtin_clzll((unsigned long long)amount);
	return (amount >> shift << shift) + ((int64_t)1 << (shift - 1));
}

/* Returns the place of the amount's bin, or the place to insert one. */
static size_t
find(const struct quantiles *s, int64_t amount)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->bins[middle].amount < amount)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for n more bins. */
static void
make_room(struct quantiles *s, size_t n, struct arena *a)
{
	struct quantiles_bin *bins = s->bins;

	if (n <= s->room - s->n)
		return;
	s->room = s->room == 0 ? 1 : 2 * s->room;
	if (s->room < s->n + n)
		s->room = s->n + n;
	s->bins = arena_new_n(a, struct quantiles_bin, s->room);
	if (s->n != 0)
		memcpy(s->bins, bins, s->n * sizeof *bins);
}

static void
put(struct quantiles *s, int64_t amount, uint64_t times, struct arena *a)
{
	size_t i = find(s, amount);

	if (i == s->n || s->bins[i].amount != amount) {
		make_room(s, 1, a);
		memmove(&s->bins[i + 1], &s->bins[i],
		    (s->n - i) * sizeof s->bins[0]);
		s->bins[i] = (struct quantiles_bin){ .amount = amount };
		s->n++;
	}
	s->bins[i].times += times;
}

/* Rounds the amounts in the bins; later amounts are rounded as well. */
static void
begin_rounding(struct quantiles *s)
{
	size_t n = s->n;

	s->rounded = true;
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct quantiles_bin b = s->bins[i];

		b.amount = round_amount(b.amount);
		if (s->n != 0 && s->bins[s->n - 1].amount == b.amount)
			s->bins[s->n - 1].times += b.times;
		else
			s->bins[s->n++] = b;
	}
}

static void
add(struct quantiles *s, int64_t amount, uint64_t times, struct arena *a)
{
	s->times += times;
	put(s, s->rounded ? round_amount(amount) : amount, times, a);
	if (!s->rounded && s->n > QUANTILES_EXACT)
		begin_rounding(s);
}

/* Extends low and high, the least and the greatest amount. */
static void
extend(struct quantiles *s, int64_t low, int64_t high)
{
	if (s->times == 0 || low < s->low)
		s->low = low;
	if (s->times == 0 || high > s->high)
		s->high = high;
}

void
quantiles_add(
    struct quantiles *s, int64_t amount, uint64_t times, struct arena *a)
{
	extend(s, amount, amount);
	add(s, amount, times, a);
}

/* Adds bins that are rounded as the bins of `to` are. The merged bins are
 * written from the greatest on, to the end of the room for all; then the gap is
 * closed. */
static void
add_bins(struct quantiles *to, const struct quantiles_bin *from, size_t n,
    struct arena *a)
{
	size_t i = to->n, end = i + n, at = end;
	struct quantiles_bin *bins;

	make_room(to, n, a);
	bins = to->bins;
	while (n > 0) {
		const struct quantiles_bin *b = &from[n - 1];

		if (i > 0 && bins[i - 1].amount >= b->amount)
			bins[--at] = bins[--i];
		else
			bins[--at] =
			    (struct quantiles_bin){ .amount = b->amount };
		if (bins[at].amount == b->amount)
			bins[at].times += from[--n].times;
	}
	memmove(&bins[i], &bins[at], (end - at) * sizeof *bins);
	to->n = i + end - at;
}

void
quantiles_merge(
    struct quantiles *to, const struct quantiles *from, struct arena *a)
{
	if (from->times == 0)
		return;
	if (from->rounded && !to->rounded)
		begin_rounding(to);
	extend(to, from->low, from->high);
	if (to->rounded == from->rounded) {
		add_bins(to, from->bins, from->n, a);
		to->times += from->times;
		if (!to->rounded && to->n > QUANTILES_EXACT)
			begin_rounding(to);
		return;
	}
	for (size_t i = 0; i < from->n; i++)
		add(to, from->bins[i].amount, from->bins[i].times, a);
}

void
quantiles_restore(struct quantiles *s, bool rounded, int64_t low, int64_t high)
{
	if (rounded && !s->rounded)
		begin_rounding(s);
	s->low = low;
	s->high = high;
}

void
quantiles_clear(struct quantiles *s)
{
	*s = (struct quantiles){ .bins = s->bins, .room = s->room };
}

int64_t
quantiles_percentile(const struct quantiles *s, double percent)
{
	uint64_t rank = (uint64_t)ceil((double)s->times * percent / 100);
	uint64_t before = 0;
	int64_t amount;
	size_t i = 0;

	if (s->times == 0)
		return 0;
	if (rank == 0)
		rank = 1;
	while (i + 1 < s->n && before + s->bins[i].times < rank)
		before += s->bins[i++].times;
	amount = s->bins[i].amount;
	return amount < s->low ? s->low : amount > s->high ? s->high : amount;
}
