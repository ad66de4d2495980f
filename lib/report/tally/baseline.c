#include "report/tally/compare.h"

#include "io/workers.h"
#include "report/tally/earlier.h"
#include "report/tally/partial.h"

/* The part of the baseline that a thread reads. */
struct baseline_part {
	struct compare *compare;
	struct tally *tally; /* the comparison's for the first, else own */
	struct tally own;
};

static void
add_run(void *part, struct result *r, struct arena *moment)
{
	struct baseline_part *b = part;

	compare_was(b->compare, b->tally, r, moment);
}

static bool
add_partial(
    void *part, const struct json *v, struct place at, struct arena *moment)
{
	struct baseline_part *b = part;

	return partial_read(b->tally, v, at, moment);
}

void
baseline_read(struct compare *c, char *path, size_t max_line,
    struct redact *redact, size_t jobs)
{
	struct arena a = { 0 };
	struct baseline_part *parts =
	    arena_new_n(&a, struct baseline_part, jobs);
	void *takers[WORKERS_MAX];
	struct earlier plan = { "--baseline", max_line, redact, jobs, c->filter,
		add_run, add_partial, takers };

	for (size_t i = 0; i < jobs; i++) {
		takers[i] = &parts[i];
		parts[i].compare = c;
		parts[i].tally = i == 0 ? &c->was : &parts[i].own;
		if (i != 0)
			tally_start(&parts[i].own, &c->was.plan);
	}
	earlier_read(&plan, path);
	for (size_t i = 1; i < jobs; i++) {
		tally_merge(&c->was, &parts[i].own, &a);
		tally_free(&parts[i].own);
	}
	arena_free(&a);
}
