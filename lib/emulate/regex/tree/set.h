/* Sets of characters (or of UTF-16 code units), as lists of ranges. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "text/unicode_sets.h"

/* Both ends belong to the range. */
struct range {
	uint32_t low, high;
};

/* The two arguments of set_new for an array of ranges. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): two values */
#define SET_RANGES(ranges) ranges, sizeof ranges / sizeof ranges[0]

/* A zeroed set is empty. Members are added in any order with set_add; only
 * set_finish or set_invert makes the set ready for queries. Afterwards its
 * ranges ascend and neither overlap nor touch. */
struct set {
	struct range *ranges;
	size_t n;
	uint64_t ascii[2]; /* a bit for each member below 128 */
};

struct set *set_new(struct arena *, const struct range *, size_t n);
void set_add(struct arena *, struct set *, uint32_t low, uint32_t high);
void set_add_all(struct arena *, struct set *, const struct set *other);
void set_add_unicode(struct arena *, struct set *, const struct unicode_set *);
void set_finish(struct set *);
/* Replaces the set by the members of 0 to max that it lacks; finishes the
 * set. */
void set_invert(struct arena *, struct set *, uint32_t max);

/* for members beyond ASCII */
bool set_has_wide(const struct set *, uint32_t member);
bool set_eq(const struct set *, const struct set *);

enum set_share {
	SET_NONE,
	SET_SOME,
	SET_ALL,
};

/* Returns how much of the range low to high is in the set. */
enum set_share set_share(const struct set *, uint32_t low, uint32_t high);

static inline bool
set_has(const struct set *set, uint32_t member)
{
	if (member < 128)
		return set->ascii[member / 64] >> member % 64 & 1;
	return set_has_wide(set, member);
}
