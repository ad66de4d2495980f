/* Sets of characters (or of UTF-16 code units), as lists of ranges. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "text/unicode_sets.h"

/* Both ends belong to it. */
struct range {
	uint32_t low, high;
};

/* A list of ranges as the two arguments that set_new takes. */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): two values */
#define SET_RANGES(ranges) ranges, sizeof ranges / sizeof ranges[0]

/* A zeroed set is empty. It is filled in any order with set_add and asked
 * nothing before set_finish or set_invert, after which its ranges ascend and
 * neither overlap nor touch. */
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
/* Makes it what it lacks of 0 to max; it is finished then. */
void set_invert(struct arena *, struct set *, uint32_t max);

bool set_has_wide(const struct set *, uint32_t member); /* beyond ASCII */
bool set_eq(const struct set *, const struct set *);

enum set_share {
	SET_NONE,
	SET_SOME,
	SET_ALL,
};

/* How much of the range low to high is in the set. */
enum set_share set_share(const struct set *, uint32_t low, uint32_t high);

static inline bool
set_has(const struct set *set, uint32_t member)
{
	if (member < 128)
		return set->ascii[member / 64] >> member % 64 & 1;
	return set_has_wide(set, member);
}
