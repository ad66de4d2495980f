/* The ctrf report, CTRF (Common Test Report Format): a test for each check of
 * each run. */
#include "base/timestamp.h"
#include "report/format/format.h"
#include "report/table/test_case.h"
#include "text/layout.h"

enum ctrf_status { PASSED, FAILED, PENDING, SKIPPED, OTHER, CTRF_STATUSES };

static const char *const names[CTRF_STATUSES] = { "passed", "failed", "pending",
	"skipped", "other" };

struct ctrf {
	size_t tests[CTRF_STATUSES];
	int64_t start, stop; /* of all runs with a start, in ms; 0: none */
};

static void
start(struct report_job *job)
{
	job->own = arena_new(job->arena, struct ctrf);
}

/* Returns the status in CTRF. An error is a failed test; only rawStatus
 * distinguishes it. */
static enum ctrf_status
status_in_ctrf(const struct gate *gate, const struct result_check *c)
{
	if (test_case_is_mild(gate, c))
		return OTHER;
	switch (c->status) {
	case STATUS_PASSED:
		return PASSED;
	case STATUS_FAILED:
	case STATUS_ERROR:
		return FAILED;
	case STATUS_PENDING:
		return PENDING;
	case STATUS_SKIPPED:
		return SKIPPED;
	default:
		return OTHER;
	}
}

static int64_t
milliseconds(int64_t microseconds)
{
	return microseconds / 1000 + (microseconds % 1000 >= 500);
}

static void
put_clean(struct out *o, const char *key, struct str text, struct arena *a)
{
	out_member_str(o, key, layout_clean(a, text, true));
}

/* Puts the place of the assertion, unless the assertion is an option. */
static void
put_place(struct out *o, const struct result_check *c, struct arena *a)
{
	size_t line;
	struct str file = failure_place(c->at, &line);

	if (line == 0)
		return;
	put_clean(o, "filePath", file, a);
	out_member_size(o, "line", line);
}

/* Puts the identity of the run, for which CTRF has no members. */
static void
put_extra(struct out *o, const struct result *r, const struct result_check *c,
    struct arena *a)
{
	out_member_begin(o, "extra", '{');
	if (c->severity != SEVERITY_ERROR)
		out_member_str(
		    o, "severity", str_of(severity_name(c->severity)));
	put_clean(o, "dialect", c->dialect, a);
	if (c->applied >= 0)
		out_member_int(o, "applied", c->applied);
	put_clean(o, "run", r->id, a);
	put_clean(o, "agent", r->agent, a);
	put_clean(o, "model", r->model, a);
	put_clean(o, "log", r->file, a);
	if (r->file.s != NULL && r->line > 0)
		out_member_int(o, "log_line", r->line);
	out_end(o, '}');
}

static void
put_test(struct report_job *job, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	struct out *o = &job->piece;
	enum ctrf_status s = status_in_ctrf(job->gate, c);

	out_begin(o, '{');
	put_clean(o, "name", test_case_name(r, c, a), a);
	out_member_str(o, "status", str_of(names[s]));
	out_member_int(o, "duration", milliseconds(test_case_time(r, c)));
	out_member_begin(o, "suite", '[');
	out_json_str(o, test_case_suite(r, a));
	out_end(o, ']');
	if (s != PASSED) {
		put_clean(o, "message", test_case_message(c), a);
		put_clean(o, "trace", test_case_details(r, c, a), a);
	}
	out_member_str(o, "rawStatus", str_of(status_name(c->status)));
	put_clean(o, "type", c->type, a);
	put_place(o, c, a);
	put_extra(o, r, c, a);
	out_end(o, '}');
}

static void
count_time(struct ctrf *t, const struct result *r)
{
	int64_t start, stop;

	if (!timestamp_text(r->start, &start) || start < 0)
		return;
	stop = start;
	if (r->used[METRIC_DURATION] > 0)
		stop =
		    metric_add(start, milliseconds(r->used[METRIC_DURATION]));
	if (t->start == 0 || start < t->start)
		t->start = start;
	if (stop > t->stop)
		t->stop = stop;
}

static void
run(struct report_job *job, const struct result *r, struct arena *a)
{
	struct ctrf *t = job->own;

	out_clear(&job->piece);
	for (size_t i = 0; i < r->n; i++) {
		put_test(job, r, &r->checks[i], a);
		t->tests[status_in_ctrf(job->gate, &r->checks[i])]++;
	}
	count_time(t, r);
	external_sort_add(
	    job->external_sort, test_case_order(r, a), out_memory(&job->piece));
}

static void
put_summary(struct out *o, const struct ctrf *t)
{
	size_t tests = 0;

	for (int s = 0; s < CTRF_STATUSES; s++)
		tests += t->tests[s];
	out_member_begin(o, "summary", '{');
	out_member_size(o, "tests", tests);
	for (int s = 0; s < CTRF_STATUSES; s++)
		out_member_size(o, names[s], t->tests[s]);
	out_member_int(o, "start", t->start);
	out_member_int(o, "stop", t->stop);
	out_end(o, '}');
}

static void
end(struct report_job *job)
{
	struct ctrf *t = job->own;
	struct out *o = job->out;
	struct str key, tests;

	out_begin(o, '{');
	out_member_str(o, "reportFormat", STR("CTRF"));
	out_member_str(o, "specVersion", STR("0.0.0"));
	out_member_begin(o, "results", '{');
	out_member_begin(o, "tool", '{');
	out_member_str(o, "name", STR("mcpl"));
	out_member_str(o, "version", STR(VERSION));
	out_end(o, '}');
	put_summary(o, t);
	out_member_begin(o, "tests", '[');
	while (external_sort_next(job->external_sort, &key, &tests))
		out_json_raw(o, tests);
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, '}');
	out_line(o);
}

const struct report_format report_ctrf = {
	.name = "ctrf",
	.what = "CTRF's JSON, a test for each check of each run",
	.guard = OUT_GUARD_JSON,
	.brief = true,
	.mute = true,
	.start = start,
	.run = run,
	.end = end,
};
