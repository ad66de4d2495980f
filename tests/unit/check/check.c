/* The score of a check, which is decided once. */
#include "check/check.h"

#include <math.h>

#include "tests/unit/unit.h"

static struct arena arena;

/* The finding of a kind that counts how often it is asked. */
struct wanted {
	size_t *times;
	struct finding finding;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct wanted *w = want;

	(void)v;
	++*w->times;
	return w->finding;
}

/* Returns the check's status, and sets its score. */
static enum status
decide(struct finding f, bool negate, double *score)
{
	static const struct check_kind kind = { .name = "test", .find = find };
	size_t times = 0;
	const struct wanted want = { &times, f };
	struct check c = check_new(&arena, &kind, &want, sizeof want, 0);
	struct trace trace = { 0 };
	struct view view = { 0 };
	struct check_result r;

	c.negate = negate;
	view_run(&view, &trace, &arena);
	r = check_score(&c, &view, score);
	view_free(&view);
	CHECK(times == 1);
	return r.status;
}

int
main(void)
{
	double score = NAN;

	CHECK(decide((struct finding){ .found = FOUND_YES }, false, &score) ==
		STATUS_PASSED &&
	    score == 1);
	CHECK(decide((struct finding){ .found = FOUND_YES }, true, &score) ==
		STATUS_FAILED &&
	    score == 0);
	CHECK(decide((struct finding){ .graded = true, .share = 0.25 }, false,
		  &score) == STATUS_FAILED &&
	    score == 0.25);
	CHECK(decide((struct finding){ .graded = true, .share = 0.25 }, true,
		  &score) == STATUS_PASSED &&
	    score == 0.75);
	CHECK(decide(
		  (struct finding){
		      .found = FOUND_CANNOT, .graded = true, .share = 0.5 },
		  false, &score) == STATUS_FAILED &&
	    score == 0);
	CHECK(decide((struct finding){ .found = FOUND_YES, .ungraded = true },
		  false, &score) == STATUS_SKIPPED);
	CHECK(decide((struct finding){ .found = FOUND_SKIP }, false, &score) ==
	    STATUS_SKIPPED);
	arena_free(&arena);
	return unit_status();
}
