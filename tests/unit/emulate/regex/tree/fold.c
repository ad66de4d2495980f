/* Sets closed over case: of ASCII a short list of foldings serves. */
#include "emulate/regex/tree/fold.h"
#include "tests/unit/unit.h"

/* The set of one character, closed. Another character, which has no case and
 * takes part in nothing, has the whole list looked through. */
static struct set
closed(struct arena *a, void (*fold)(struct arena *, struct set *),
    uint32_t character, uint32_t other)
{
	struct set set = { 0 };

	set_add(a, &set, character, character);
	set_add(a, &set, other, other);
	fold(a, &set);
	return set;
}

static void
agrees_of_ascii(
    struct arena *a, void (*fold)(struct arena *, struct set *), uint32_t c)
{
	struct set briefly = closed(a, fold, c, c);
	struct set fully = closed(a, fold, c, 0x10ffff);

	CHECK(fully.n == briefly.n + 1);
	fully.n--;
	CHECK(set_eq(&briefly, &fully));
}

static void
check_members(struct set set, uint32_t one, uint32_t two, uint32_t three)
{
	CHECK(set.n == 3 && set_has(&set, one) && set_has(&set, two) &&
	    set_has(&set, three));
}

int
main(void)
{
	struct arena a = { 0 };

	for (uint32_t c = 0; c < 0x80; c++) {
		agrees_of_ascii(&a, fold_simple, c);
		agrees_of_ascii(&a, fold_python, c);
	}
	check_members(closed(&a, fold_simple, 'k', 'k'), 'K', 'k', 0x212a);
	check_members(closed(&a, fold_simple, 0x17f, 0x17f), 'S', 's', 0x17f);
	check_members(closed(&a, fold_simple, 0xe5, 0xe5), 0xc5, 0xe5, 0x212b);
	arena_free(&a);
	return unit_status();
}
