#include "report/report.h"

#include <string.h>

#include "base/diag.h"
#include "io/workers.h"
#include "report/mcplab/snapshot.h"
#include "report/tally/partial.h"
#include "report/warn.h"
#include "json/stream.h"

enum { MAX_FAILURES = 100 };

#define ALPHA 0.05
#define MARGIN 0.2

struct report_plan
report_default(void)
{
	struct report_plan plan = { .format = &report_text,
		.tally = tally_plan_default(),
		.gate = gate_default(),
		.alpha = ALPHA,
		.margin = MARGIN,
		.runs = SIZE_MAX,
		.jobs = 1 };

	plan.tally.max_failures = MAX_FAILURES;
	return plan;
}

/* Returns what has to be counted for the plan's report. */
static struct tally_plan
to_count(const struct report_plan *plan)
{
	struct tally_plan counted = plan->tally;

	counted.details = !plan->format->brief || plan->look.details ||
	    plan->partial || plan->snapshot != NULL ||
	    plan->snapshot_write != NULL;
	counted.behaviour = counted.details || plan->baseline != NULL;
	counted.assertions = counted.behaviour;
	counted.zone = plan->partial ? NULL : &plan->zone;
	return counted;
}

/* Returns the last name of the path. */
static const char *
last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Begins the file of the partial's runs. */
static void
start_runs(struct report *r)
{
	const char *partial = r->plan->partial_file;
	struct str path = str_printf(&r->arena, "%s.runs", partial);

	r->kept.name = str_printf(&r->arena, "%s.runs", last_name(partial));
	out_open(&r->runs, str_c(&r->arena, path), false);
	partial_runs_begin(&r->runs, str_of(last_name(partial)));
}

/* Hands a run of the baseline to the format. */
static void
show_was(void *arg, const struct result *run, struct arena *moment)
{
	struct report *r = arg;

	r->plan->format->was(&r->job, run, moment);
}

/* Reads the history. */
static void
start_history(struct report *r)
{
	const struct report_plan *plan = r->plan;

	if (plan->n_history == 0)
		return;
	r->history =
	    (struct history){ .alpha = plan->alpha < 1 ? plan->alpha : ALPHA,
		    .margin = plan->margin,
		    .filter = plan->filter,
		    .zone = &plan->zone,
		    .prices = plan->prices };
	for (size_t i = 0; i < plan->tally.n_k; i++)
		if (plan->tally.k[i] > r->history.k)
			r->history.k = plan->tally.k[i];
	r->job.history = &r->history;
	history_start(&r->history);
	for (size_t i = 0; i < plan->n_history; i++)
		history_read(&r->history, plan->history[i], plan->max_line,
		    plan->redact, plan->jobs);
}

void
report_start(struct report *r, const struct report_plan *plan)
{
	*r = (struct report){
		.plan = plan, .counted = to_count(plan), .why.by = plan->why
	};
	if (plan->step_summary != NULL)
		out_open_end(&r->summary, plan->step_summary);
	if (plan->partial_file != NULL)
		start_runs(r);
	external_sort_start(&r->external_sort, EXTERNAL_SORT_LIMIT);
	tally_start(&r->tally, &r->counted);
	r->job = (struct report_job){ .arena = &r->arena,
		.external_sort = &r->external_sort,
		.tally = &r->tally,
		.folder = plan->folder,
		.why = plan->why.s == NULL ? NULL : &r->why,
		.gate = &plan->gate,
		.look = plan->look };
	start_history(r);
	report_job_start(&r->job, plan->format);
	if (plan->baseline == NULL)
		return;
	r->job.compare = &r->compare;
	compare_start(&r->compare, plan->alpha, plan->margin, plan->filter);
	r->compare.why = &r->why;
	r->compare.behaviour.same = !plan->format->brief;
	r->compare.each = plan->format->was == NULL ? NULL : show_was;
	r->compare.each_arg = r;
	baseline_read(&r->compare, plan->baseline, plan->max_line, plan->redact,
	    plan->why.s != NULL || plan->format->was != NULL ? 1 : plan->jobs);
}

/* ---- reading ---- */

/* Returns how many threads can read: only one where the format prints single runs,
 * where --why keeps them, and where the first bad record ends the input. */
static size_t
jobs_of(const struct report_plan *plan)
{
	bool alone =
	    plan->format->run != NULL || plan->why.s != NULL || plan->strict;

	return alone ? 1 : plan->jobs;
}

/* The state of one worker that reads records. */
struct report_worker {
	struct report *report;
	struct tally *tally; /* the report's for the first worker, else own */
	struct tally own;
	struct arena moment; /* reset with each record */
	struct json_reader redacted;
	struct json_stream values;
	struct result_cache cache;
	struct seal_count seals;
	size_t read;      /* runs */
	bool of_partial;  /* the runs are those of a partial */
	struct out *runs; /* for the runs' lines; NULL: they are not kept */
	struct part kept; /* the runs in it */
};

/* ---- partials ---- */

/* Returns the option that needs single runs, or an absent string. */
static struct str
needs_runs(const struct report_plan *plan, struct arena *a)
{
	if (plan->filter != NULL)
		return STR("--filter");
	if (plan->why.s != NULL)
		return STR("--why");
	if (plan->format->run != NULL)
		return str_printf(a, "--format %s", plan->format->name);
	return plan->partial_file == NULL ? str_of(NULL)
					  : STR("--partial=FILE");
}

static void add_record(
    struct report_worker *, const struct json *, struct place at);

/* Adds the runs in a file beside a partial, which must be those that the partial
 * counted. */
static void
add_kept(struct report_worker *r, const struct part *want, char *path,
    struct place at)
{
	char *files[] = { path, NULL };
	struct part found = { .known = true };
	struct json_stream values;
	const struct json *record;
	size_t errors = diag_errors();
	struct in in;

	in_open(&in, files);
	in.max_line = r->report->plan->max_line;
	json_stream_open(&values, &in, false);
	r->of_partial = true;
	while ((record = json_stream_next(&values)) != NULL) {
		if (!partial_runs_begins(record))
			part_add(&found, record->text, (struct str){ 0 },
			    &r->moment);
		add_record(r, record, values.at);
	}
	r->of_partial = false;
	json_stream_close(&values);
	in_close(&in);
	if (!part_same(&found, want) && diag_errors() == errors)
		diag_error(at,
		    "partial: expected its %zu runs in %s, found %zu%s",
		    want->in, path, found.in,
		    found.in == want->in ? " others" : "");
}

/* Adds the runs of a partial, which `option` needs. */
static void
add_runs(struct report_worker *r, const struct json *v, struct place at,
    struct str option)
{
	struct arena *a = &r->tally->arena;
	struct part kept;

	if (!partial_runs(v, &kept, a))
		diag_error(at,
		    "partial: %.*s needs single runs, which this partial does "
		    "not have (--partial=FILE keeps them)",
		    STR_FMT(option));
	else if (at.file == NULL || strcmp(at.file, "<stdin>") == 0)
		diag_error(at,
		    "partial: %.*s needs single runs, which are beside the "
		    "partial's file: name the file",
		    STR_FMT(option));
	else if (partial_read_parts(r->tally, v, at, &r->moment))
		add_kept(r, &kept,
		    str_c(a,
			str_printf(a, "%.*s%.*s",
			    (int)(last_name(at.file) - at.file), at.file,
			    STR_FMT(kept.name))),
		    at);
}

static void
add_partial(struct report_worker *r, const struct json *v, struct place at)
{
	struct str option = needs_runs(r->report->plan, &r->tally->arena);

	if (r->of_partial)
		diag_error(at, "partial: expected runs, found a partial");
	else if (option.s != NULL)
		add_runs(r, v, at, option);
	else if (partial_read(r->tally, v, at, &r->moment) &&
	    r->report->job.history != NULL)
		history_add_partial(&r->report->history, v, at, &r->moment);
}

/* Refuses the runs of a partial that is not read itself: it may never have been written.
 */
static void
refuse_runs(struct report_worker *r, const struct json *first, struct place at)
{
	struct str of = json_text(json_get(first, "of"), &r->moment);

	if (!r->of_partial)
		diag_error(at,
		    "these runs belong to the partial '%.*s': give the partial",
		    STR_FMT(of));
}

/* Writes the run into the file of the partial's runs. */
static void
keep_run(struct report_worker *r, const struct result *run)
{
	struct str line = run->trace->record->text;

	out_str(r->runs, line);
	out_line(r->runs);
	part_add(&r->kept, line, (struct str){ 0 }, &r->moment);
}

/* ---- runs ---- */

/* Takes the run, as it was read, into the part that the partial is of. */
static void
add_to_part(
    struct report_worker *r, const struct trace *trace, struct str source)
{
	const struct json *file = json_get(trace->member[TRACE_SOURCE], "file");

	part_add(&r->tally->own, source, json_text(file, &r->moment),
	    &r->tally->arena);
}

/* Counts a run that the filter lets through, and hands it to the comparison
 * and to the format. */
static void
add_run(struct report_worker *r, struct result *run)
{
	struct report *report = r->report;
	const struct report_plan *plan = report->plan;

	if (!result_is_of(run, plan->filter)) {
		r->tally->filtered++;
		return;
	}
	r->tally->own.out += !r->of_partial;
	if (r->runs != NULL)
		keep_run(r, run);
	if (r->tally->plan.behaviour)
		result_read_details(run, &r->moment);
	if (plan->gate.severity != SEVERITY_NOTE)
		result_set_notes_aside(run, &r->moment);
	if (plan->prices != NULL)
		result_estimate(run, plan->prices, &r->moment);
	tally_add(r->tally, run, &r->moment);
	why_add(&report->why, run, false, &r->moment);
	if (report->job.history != NULL)
		history_add(&report->history, run, &r->moment);
	if (plan->baseline != NULL)
		compare_now(&report->compare, run, &r->moment);
	if (plan->format->run != NULL)
		plan->format->run(&report->job, run, &r->moment);
}

static void
add_record(struct report_worker *r, const struct json *record, struct place at)
{
	struct result run;
	struct trace trace;
	struct str why, source = record->text;

	arena_reset(&r->moment);
	record = redact_reread(
	    r->report->plan->redact, &r->moment, &r->redacted, record);
	if (!trace_read(&trace, record)) {
		if (partial_is(record))
			add_partial(r, record, at);
		else if (partial_runs_begins(record))
			refuse_runs(r, record, at);
		else if (seal_read(&r->seals, record))
			return;
		else if (!trace_warn_version(record, at))
			r->tally->other++;
		return;
	}
	r->read += !r->of_partial;
	if (r->report->plan->partial && !r->of_partial)
		add_to_part(r, &trace, source);
	if (result_read(&run, &trace, &r->cache, &r->moment, &why))
		add_run(r, &run);
	else
		diag_error(at, "%.*s", STR_FMT(why));
}

/* Reads one piece of the input. The piece's output is the lines of its runs, if they are
 * kept. */
static void
read_records(void *worker, struct workers_chunk *piece)
{
	struct report_worker *r = worker;
	bool strict = r->report->plan->strict;
	const struct json *record;

	r->runs = r->report->plan->partial_file == NULL ? NULL : piece->out;
	json_stream_begin(&r->values, piece->in, strict);
	while ((record = json_stream_next(&r->values)) != NULL) {
		add_record(r, record, r->values.at);
		if (strict && diag_errors() != 0)
			break;
	}
}

/* The first worker counts into the report's own tally. */
static struct report_worker *
new_worker(struct report *report, bool first)
{
	struct report_worker *r =
	    arena_new(&report->arena, struct report_worker);

	r->report = report;
	r->tally = first ? &report->tally : &r->own;
	if (!first)
		tally_start(&r->own, &report->counted);
	return r;
}

static void
close_worker(struct report_worker *r)
{
	json_stream_close(&r->values);
	json_reader_free(&r->redacted);
	result_cache_free(&r->cache);
	seal_add(&r->report->seals, &r->seals);
	r->report->read += r->read;
	part_merge(&r->report->kept, &r->kept, &r->report->arena);
	if (r->tally == &r->own) {
		tally_merge(&r->report->tally, &r->own, &r->moment);
		tally_free(&r->own);
	}
	arena_free(&r->moment);
}

void
report_add(struct report *report, const struct json *record, struct place at)
{
	if (report->alone == NULL)
		report->alone = new_worker(report, true);
	add_record(report->alone, record, at);
}

void
report_read(struct report *report, struct in *in, struct out *out)
{
	size_t jobs = jobs_of(report->plan);
	void *members[WORKERS_MAX];
	struct workers workers = { .jobs = jobs,
		.in = in,
		.out = report->plan->partial_file == NULL ? out : &report->runs,
		.work = read_records,
		.members = members };

	for (size_t i = 0; i < jobs; i++)
		members[i] = new_worker(report, i == 0);
	workers_run(&workers);
	for (size_t i = 0; i < jobs; i++)
		close_worker(members[i]);
	trace_warn_foreign("over", report->tally.other);
}

/* ---- the end ---- */

/* Scores the runs against the snapshot. */
static void
score_drift(struct report *r, const char *path)
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
		    "--snapshot-write: expected runs that all passed and have "
		    "a scenario, found %zu of %zu passed",
		    total->status[STATUS_PASSED], total->runs);
		return;
	}
	out_open(&o, path, false);
	o.guard = OUT_GUARD_JSON;
	snapshot_write(&o, &r->tally, &r->arena);
	out_close(&o);
}

static bool
was_checked(const struct compare *c)
{
	for (size_t i = 0; i < c->scenarios.n; i++)
		if (c->scenarios.list[i].n[COMPARE_WAS] != 0)
			return true;
	return false;
}

static size_t
regressions(struct report *r)
{
	if (r->plan->baseline == NULL)
		return 0;
	compare_finish(&r->compare, &r->tally, &r->arena);
	if (r->plan->gate.fail_on[GATE_REGRESSION] && !was_checked(&r->compare))
		diag_error((struct place){ .file = r->plan->baseline },
		    "--baseline: expected runs with a status for --fail-on "
		    "regression, found none");
	return compare_regressions(&r->compare);
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
		score_drift(r, r->plan->snapshot);
	if (r->plan->snapshot_write != NULL)
		write_snapshot(r, r->plan->snapshot_write);
	why_finish(&r->why, &r->arena);
	if (r->job.history != NULL)
		history_finish(&r->history);
	if (r->plan->gate.fail_on[GATE_DROP] &&
	    !history_was_checked(&r->history))
		diag_error((struct place){ 0 },
		    "--history: expected runs with a status for --fail-on "
		    "drop, found none");
	facts.drops = r->history.dropped;
	facts.drifted = r->drift.status[DRIFT_DRIFT];
	facts.regressions = regressions(r);
	facts.noise = r->compare.scenarios.noise + r->compare.assertions.noise;
	facts.usage_rises = r->compare.behaviour.usage;
	facts.tool_changes = r->compare.behaviour.tool_changes;
	facts.errors = diag_errors();
	r->job.verdict = gate_decide(&r->plan->gate, &facts, &r->arena);
	if (!r->plan->format->mute || facts.errors != 0)
		return;
	if (r->job.verdict.status == 2)
		diag_system_error("%.*s", STR_FMT(r->job.verdict.why));
	else if (r->job.verdict.undecided)
		diag_warn(
		    (struct place){ 0 }, "%.*s", STR_FMT(r->job.verdict.why));
}

/* Reports what is missing of the input, or comes twice, as errors. */
static void
check_whole(struct report *r)
{
	const struct report_plan *plan = r->plan;
	struct tally *t = &r->tally;
	size_t n = t->filtered;

	seal_check(&r->seals, plan->sealed && (r->read != 0 || t->parts.n == 0),
	    r->read);
	parts_check(&t->parts, &t->own, plan->parts);
	for (size_t i = 0; i < t->n_tasks; i++)
		n += t->tasks[i]->runs;
	if (plan->runs != SIZE_MAX && n != plan->runs)
		diag_error((struct place){ 0 },
		    "--expect-runs: expected %zu, found %zu", plan->runs, n);
	t->own.known = true;
	t->own.name = str_of(plan->part == NULL ? "" : plan->part);
	t->own.errors = diag_errors();
}

/* Appends the Markdown report to the file of --github-summary, which
 * GitHub Actions shows with the step of the job. */
static void
add_summary(struct report *r)
{
	r->job.out = &r->summary;
	r->summary.guard = report_markdown.guard;
	report_markdown.end(&r->job);
	out_close(&r->summary);
}

/* Writes the partial, after its runs. */
static void
write_partial(struct report *r, struct out *o)
{
	if (r->plan->partial_file == NULL) {
		partial_write(o, &r->tally, NULL);
		return;
	}
	r->kept.known = true;
	r->kept.out = r->kept.in;
	if (out_close(&r->runs))
		partial_write(o, &r->tally, &r->kept);
}

int
report_end(struct report *r, struct out *o)
{
	if (r->alone != NULL)
		close_worker(r->alone);
	check_whole(r);
	r->job.out = o;
	o->guard = r->plan->partial ? OUT_GUARD_JSON : r->plan->format->guard;
	if (r->plan->partial) {
		write_partial(r, o);
	} else {
		decide(r);
		r->plan->format->end(&r->job);
		if (r->plan->step_summary != NULL)
			add_summary(r);
	}
	report_job_free(&r->job);
	external_sort_free(&r->external_sort);
	tally_free(&r->tally);
	contrasts_free(&r->why.runs);
	if (r->job.history != NULL)
		history_free(&r->history);
	if (r->plan->baseline != NULL)
		compare_free(&r->compare);
	arena_free(&r->arena);
	return r->job.verdict.status;
}
