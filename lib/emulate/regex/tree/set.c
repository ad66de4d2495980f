#include "emulate/regex/tree/set.h"

#include <stdlib.h>
#include <string.h>

struct set *
set_new(struct arena *a, const struct range *ranges, size_t n)
{
	struct set *set = arena_new(a, struct set);

	for (size_t i = 0; i < n; i++)
		set_add(a, set, ranges[i].low, ranges[i].high);
	return set;
}

void
set_add(struct arena *a, struct set *set, uint32_t low, uint32_t high)
{
	*arena_push(a, set->ranges, set->n) = (struct range){ low, high };
}

void
set_add_all(struct arena *a, struct set *set, const struct set *other)
{
	for (size_t i = 0; i < other->n; i++)
		set_add(a, set, other->ranges[i].low, other->ranges[i].high);
}

void
set_add_unicode(
    struct arena *a, struct set *set, const struct unicode_set *other)
{
	uint32_t at = 0;

	for (size_t i = 0; i < other->n; i++) {
		uint32_t next = at + other->runs[i];

		if (i % 2 == 1 && next > at)
			set_add(a, set, at, next - 1);
		at = next;
	}
}

static int
by_low(const void *a, const void *b)
{
	const struct range *one = a, *two = b;

	return (one->low > two->low) - (one->low < two->low);
}

static bool
ascends(const struct set *set)
{
	for (size_t i = 1; i < set->n; i++)
		if (set->ranges[i].low < set->ranges[i - 1].low)
			return false;
	return true;
}

static void
merge(struct set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->n; i++) {
		struct range r = set->ranges[i];
		struct range *last = &set->ranges[kept - (kept > 0)];

		if (kept > 0 && r.low <= last->high + 1) {
			if (r.high > last->high)
				last->high = r.high;
		} else {
			set->ranges[kept++] = r;
		}
	}
	set->n = kept;
}

/* Returns the bits of the range among the 64 members that begin at `first`. */
static uint64_t
bits(struct range r, uint32_t first)
{
	uint32_t low = r.low > first ? r.low - first : 0;
	uint32_t high = r.high < first + 63 ? r.high - first : 63;

	if (r.low > first + 63 || r.high < first)
		return 0;
	return UINT64_MAX >> (63 - (high - low)) << low;
}

static void
note_ascii(struct set *set)
{
	for (size_t i = 0; i < set->n && set->ranges[i].low < 128; i++)
		for (uint32_t word = 0; word < 2; word++)
			set->ascii[word] |= bits(set->ranges[i], 64 * word);
}

void
set_finish(struct set *set)
{
	if (!ascends(set))
		qsort(set->ranges, set->n, sizeof *set->ranges, by_low);
	merge(set);
	note_ascii(set);
}

void
set_invert(struct arena *a, struct set *set, uint32_t max)
{
	struct set rest = { 0 };
	uint32_t next = 0;

	set_finish(set);
	for (size_t i = 0; i < set->n; i++) {
		if (set->ranges[i].low > next)
			set_add(a, &rest, next, set->ranges[i].low - 1);
		next = set->ranges[i].high + 1;
	}
	if (next <= max)
		set_add(a, &rest, next, max);
	note_ascii(&rest);
	*set = rest;
}

/* Returns the index of the first range that does not end before c; set->n if
 * there is none. */
static size_t
range_at(const struct set *set, uint32_t c)
{
	size_t low = 0, high = set->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (set->ranges[middle].high < c)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
set_has_wide(const struct set *set, uint32_t c)
{
	size_t i = range_at(set, c);

	return i < set->n && set->ranges[i].low <= c;
}

bool
set_eq(const struct set *one, const struct set *two)
{
	return one->n == two->n &&
	    (one->n == 0 ||
		memcmp(one->ranges, two->ranges,
		    one->n * sizeof *one->ranges) == 0);
}

enum set_share
set_share(const struct set *set, uint32_t low, uint32_t high)
{
	size_t i;

	if (set->n == 0 || high < set->ranges[0].low ||
	    low > set->ranges[set->n - 1].high)
		return SET_NONE;
	i = range_at(set, low);
	if (set->ranges[i].low > high)
		return SET_NONE;
	return set->ranges[i].low <= low && set->ranges[i].high >= high
	    ? SET_ALL
	    : SET_SOME;
}
