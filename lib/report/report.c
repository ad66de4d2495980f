#include "report/report.h"

#include "base/diag.h"
#include "io/workers.h"
#include "report/ingest.h"
#include "report/mcplab/snapshot.h"
#include "report/tally/baseline.h"
#include "report/tally/partial.h"

enum { FINDINGS = 100 };

struct report_plan
report_default(void)
{
	struct report_plan plan = { .report = &report_text,
		.tally = tally_plan_default(),
		.gate = gate_default(),
		.alpha = 1 };

	plan.tally.max_findings = FINDINGS;
	return plan;
}

/* What has to be counted for it. */
static struct tally_plan
to_count(const struct report_plan *plan)
{
	struct tally_plan counted = plan->tally;

	counted.details = !plan->report->brief || plan->look.details ||
	    plan->partial || plan->snapshot != NULL ||
	    plan->snapshot_write != NULL;
	counted.assertions = counted.details || plan->baseline != NULL;
	return counted;
}

void
report_start(struct report *r, const struct report_plan *plan)
{
	*r = (struct report){ .plan = plan, .counted = to_count(plan) };
	if (plan->step_summary != NULL)
		out_open_end(&r->summary, plan->step_summary);
	external_sort_start(&r->external_sort, EXTERNAL_SORT_LIMIT);
	tally_start(&r->tally, &r->counted);
	r->job = (struct report_job){ .arena = &r->arena,
		.external_sort = &r->external_sort,
		.tally = &r->tally,
		.gate = &plan->gate,
		.look = plan->look };
	if (plan->baseline == NULL)
		return;
	r->job.compare = &r->compare;
	compare_start(&r->compare, plan->alpha, plan->filter);
	baseline_read(
	    &r->compare, plan->baseline, plan->max_line, plan->redact);
}

/* ---- reading ---- */

size_t
report_jobs(const struct report_plan *plan, size_t asked)
{
	bool alone =
	    plan->report->run != NULL || plan->baseline != NULL || plan->strict;

	return alone ? 1 : asked;
}

/* One of those who read. */
struct clerk {
	struct ingest ingest;
	struct tally own; /* of all but the first, who counts for the review */
};

static struct clerk *
new_clerk(struct report *r, bool first)
{
	struct clerk *c = arena_new(&r->arena, struct clerk);

	if (!first)
		tally_start(&c->own, &r->counted);
	c->ingest = (struct ingest){ .report = r->plan->report,
		.job = &r->job,
		.tally = first ? &r->tally : &c->own,
		.compare = r->plan->baseline == NULL ? NULL : &r->compare,
		.redact = r->plan->redact,
		.filter = r->plan->filter,
		.strict = r->plan->strict };
	return c;
}

static void
read_records(void *clerk, struct workers_piece *piece)
{
	struct clerk *c = clerk;

	ingest_read(&c->ingest, piece->in); /* nothing to write yet */
}

void
report_read(struct report *r, size_t jobs, struct in *in, struct out *out)
{
	struct arena moment = { 0 };
	void *clerks[WORKERS_MAX];
	struct workers workers = { .jobs = jobs,
		.in = in,
		.out = out,
		.work = read_records,
		.members = clerks };

	for (size_t i = 0; i < jobs; i++)
		clerks[i] = new_clerk(r, i == 0);
	workers_run(&workers);
	for (size_t i = 0; i < jobs; i++) {
		struct clerk *c = clerks[i];

		ingest_close(&c->ingest);
		if (i == 0)
			continue;
		tally_merge(&r->tally, &c->own, &moment);
		tally_free(&c->own);
	}
	arena_free(&moment);
	trace_warn_foreign("over", r->tally.other);
}

/* ---- the end ---- */

/* Scores the runs by the snapshot. */
static void
hold_against(struct report *r, const char *path)
{
	struct snapshot snapshot;

	if (!snapshot_read(&snapshot, path, &r->arena))
		return;
	r->drift = drift_from(&snapshot, &r->tally, &r->arena);
	r->job.drift = &r->drift;
}

static void
write_snapshot(struct report *r, const char *path)
{
	const struct tally_group *total = &r->tally.total;
	struct out o;

	if (!snapshot_fits(&r->tally)) {
		diag_error((struct place){ .file = path },
		    "--snapshot-write: a snapshot is made where all runs "
		    "passed and have a scenario: %zu of %zu passed",
		    total->status[STATUS_PASSED], total->runs);
		return;
	}
	out_open(&o, path, false);
	snapshot_write(&o, &r->tally, &r->arena);
	out_close(&o);
}

/* A name of --by that is misspelt. */
static void
warn_of_names(const struct tally *t, struct arena *a)
{
	if (t->plan.by_default || t->total.runs == 0)
		return;
	for (size_t i = 0; i < t->plan.by.n; i++) {
		size_t at = 0;

		while (at < t->n && t->groups[at]->names.list[i].s == NULL)
			at++;
		if (at == t->n)
			diag_warn((struct place){ 0 },
			    "--by: no run has the member '%.*s'%s",
			    STR_FMT(t->plan.by.list[i]),
			    trace_member_near(t->plan.by.list[i], a));
	}
}

/* What one judge passes another one may fail. */
static void
warn_of_judges(const struct tally *t)
{
	struct out o;

	if (t->judges.n < 2)
		return;
	out_open_memory(&o);
	for (size_t i = 0; i < t->judges.n; i++) {
		const struct bounded_map_item *judge = t->judges.list[i];

		out_text(&o, i == 0 ? "" : ", ");
		out_str(&o, judge->key.text);
	}
	diag_warn((struct place){ 0 },
	    "the verdicts are of several judges, so they may not compare: "
	    "%.*s%s",
	    STR_FMT(out_memory(&o)), t->judges.full ? ", ..." : "");
	out_close(&o);
}

static size_t
regressions(struct report *r)
{
	if (r->plan->baseline == NULL)
		return 0;
	compare_finish(&r->compare, &r->tally, &r->arena);
	return r->compare.scenarios.regressions +
	    r->compare.assertions.regressions;
}

static void
decide(struct report *r)
{
	struct gate_facts facts = { .tally = &r->tally };

	tally_finish(&r->tally);
	warn_of_names(&r->tally, &r->arena);
	warn_of_judges(&r->tally);
	external_sort_end(&r->external_sort);
	if (r->plan->snapshot != NULL)
		hold_against(r, r->plan->snapshot);
	if (r->plan->snapshot_write != NULL)
		write_snapshot(r, r->plan->snapshot_write);
	facts.drifted = r->drift.status[DRIFT_DRIFT];
	facts.regressions = regressions(r);
	facts.errors = diag_errors();
	r->job.verdict = gate_decide(&r->plan->gate, &facts, &r->arena);
	if (r->job.verdict.status == 2 && facts.errors == 0 &&
	    r->plan->report->mute)
		diag_trouble("%.*s", STR_FMT(r->job.verdict.why));
}

/* The comment again, for people who look at the step. */
static void
add_summary(struct report *r)
{
	r->job.out = &r->summary;
	report_markdown.end(&r->job);
	out_close(&r->summary);
}

int
report_end(struct report *r, struct out *o)
{
	r->job.out = o;
	if (r->plan->partial) {
		partial_write(o, &r->tally);
	} else {
		decide(r);
		r->plan->report->end(&r->job);
		if (r->plan->step_summary != NULL)
			add_summary(r);
	}
	external_sort_free(&r->external_sort);
	tally_free(&r->tally);
	if (r->plan->baseline != NULL)
		compare_free(&r->compare);
	arena_free(&r->arena);
	return r->job.verdict.status;
}
