#include "report/table/why.h"

#include "report/table/cells.h"
#include "text/layout.h"

/* Returns the name of the runs with which the group's are contrasted. */
static struct str
others(const struct why *w, const struct contrast *c)
{
	if (w->runs.n_groups != 2)
		return STR("other");
	return w->runs.groups[str_eq(c->group, w->runs.groups[0])];
}

static struct str
clean(struct arena *a, struct str text)
{
	return layout_clean(a, text, false);
}

struct str
why_title(const struct why *w, const struct contrast *c, struct arena *a)
{
	return str_printf(a, "Rules that %.*s runs break and %.*s runs keep",
	    STR_FMT(clean(a, c->group)), STR_FMT(clean(a, others(w, c))));
}

static struct str
fraction(struct arena *a, size_t broken, size_t runs)
{
	return str_printf(a, "%zu/%zu", broken, runs);
}

struct table
why_table(const struct why *w, const struct contrast *c, struct arena *a)
{
	struct table t = { .arena = a };
	const char *group = str_c(a, clean(a, c->group));
	const char *other = str_c(a, clean(a, others(w, c)));

	cells_name_column(&t, "rule");
	for (size_t half = 0; half < 2; half++) {
		cells_number_column(&t, group);
		cells_number_column(&t, other);
		cells_number_column(
		    &t, half == CONTRAST_FIND ? "p" : "p of other half");
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct contrast_line *line = &c->lines[i];

		cells_name(&t, clean(a, line->rule));
		for (size_t half = 0; half < 2; half++) {
			for (size_t side = 0; side < 2; side++)
				cells_text(&t,
				    fraction(a, line->broken[half][side],
					line->of[half][side]));
			cells_text(&t, str_printf(a, "%.1g", line->p[half]));
		}
	}
	return t;
}

/* Returns "12 failed and 30 passed runs". */
static struct str
runs_of(
    const struct why *w, const struct contrast *c, size_t half, struct arena *a)
{
	return str_printf(a, "%zu %.*s and %zu %.*s runs", c->runs[half][0],
	    STR_FMT(clean(a, c->group)), c->runs[half][1],
	    STR_FMT(clean(a, others(w, c))));
}

struct str
why_sentence(const struct why *w, const struct contrast *c, struct arena *a)
{
	struct str runs = runs_of(w, c, CONTRAST_FIND, a), text;

	if (c->n == 0)
		text = str_printf(a,
		    "No habit tells the %.*s of one half apart by more than "
		    "chance",
		    STR_FMT(runs));
	else
		text = str_printf(a,
		    "Found in %.*s, among %zu habits; confirmed in the other "
		    "half",
		    STR_FMT(runs), c->tested);
	if (c->unconfirmed != 0)
		text = str_printf(a,
		    "%.*s; the other half does not confirm %zu more",
		    STR_FMT(text), c->unconfirmed);
	if (w->runs.unknown != 0)
		text = str_printf(a,
		    "%.*s; of %zu runs the calls were not recorded",
		    STR_FMT(text), w->runs.unknown);
	if (w->runs.full)
		text = str_printf(a, "%.*s; only the first %d habits count",
		    STR_FMT(text), CONTRAST_HABITS);
	return str_cat(a, text, STR("."));
}

struct str
why_nothing(const struct why *w, struct arena *a)
{
	if (w->by.s == NULL || (w->runs.n_groups > 1 && w->n != 0))
		return str_of(NULL);
	if (w->runs.n_groups == 1)
		return str_printf(a,
		    "--why: all runs that count are %.*s, so that there is "
		    "nothing to contrast.",
		    STR_FMT(clean(a, w->runs.groups[0])));
	if (str_is(w->by, WHY_STATUS))
		return STR("--why: no run failed and none passed.");
	return str_printf(a, "--why: no run has the member '%.*s'.",
	    STR_FMT(clean(a, w->by)));
}
