/* The tap and tap13 reports: a test for each check of each run, with a block of
 * YAML that reports what went wrong and where. The tests mean the same in
 * versions 13 and 14, but a program may refuse the version that it does not
 * know. */
#include "report/format/format.h"
#include "report/table/test_case.h"
#include "text/layout.h"

struct tap {
	size_t tests;
};

static void
start(struct report_job *job)
{
	job->own = arena_new(job->arena, struct tap);
}

/* Puts one line in which no directive can begin. */
static void
put_description(struct out *o, struct str text, struct arena *a)
{
	text = layout_clean(a, text, false);
	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] == '#' || text.s[i] == '\\')
			out_char(o, '\\');
		out_char(o, text.s[i]);
	}
}

/* Puts a member of the block as a double-quoted YAML scalar, which any JSON
 * string is. */
static void
put_scalar(struct out *o, const char *key, struct str text, struct arena *a)
{
	if (text.s == NULL)
		return;
	out_printf(o, "  %s: ", key);
	out_quoted(o, layout_clean(a, text, true));
	out_char(o, '\n');
}

/* Returns the word for how bad the test's result is. */
static struct str
severity(const struct result_check *c)
{
	if (c->severity != SEVERITY_ERROR)
		return str_of(severity_name(c->severity));
	return c->status == STATUS_FAILED ? STR("fail")
					  : str_of(status_name(c->status));
}

static void
put_block(struct out *o, const struct result *r, const struct result_check *c,
    struct arena *a)
{
	struct str reason = failure_reason(c->status, c->reason);

	out_text(o, "  ---\n");
	put_scalar(
	    o, "message", reason.n != 0 ? reason : test_case_message(c), a);
	put_scalar(o, "severity", severity(c), a);
	put_scalar(o, "type", c->type, a);
	put_scalar(o, "check", c->at, a);
	put_scalar(o, "run", r->id, a);
	put_scalar(o, "log", failure_log(r->file, r->line, a), a);
	out_text(o, "  ...\n");
}

/* A pending check is not ok: nothing has passed, and the gate says the same. */
static bool
is_ok(enum status s)
{
	return s == STATUS_PASSED || s == STATUS_SKIPPED ||
	    s == STATUS_UNCHECKED;
}

/* Puts the test without its number, which is known only at the end: "ok" or
 * "not ok", a newline, and what follows the number. The directive TODO keeps a
 * test that is not ok from failing the suite. */
static void
put_case(struct report_job *job, const struct result *r,
    const struct result_check *c, struct arena *a)
{
	struct out *o = &job->piece;
	bool ok = is_ok(c->status);

	out_text(o, ok ? "ok\n" : "not ok\n");
	out_text(o, " - ");
	put_description(o, test_case_suite(r, a), a);
	out_text(o, ": ");
	put_description(o, test_case_name(r, c, a), a);
	if (ok && c->status != STATUS_PASSED) {
		out_text(o, " # SKIP ");
		out_str(o, layout_clean(a, test_case_message(c), false));
	} else if (test_case_is_mild(job->gate, c)) {
		out_printf(o, " # TODO %s", severity_name(c->severity));
	}
	out_char(o, '\n');
	if (!ok)
		put_block(o, r, c, a);
}

static void
run(struct report_job *job, const struct result *r, struct arena *a)
{
	struct tap *t = job->own;
	struct str order = test_case_order(r, a);

	for (size_t i = 0; i < r->n; i++) {
		out_clear(&job->piece);
		put_case(job, r, &r->checks[i], a);
		external_sort_add(job->external_sort,
		    str_cat(a, order, str_printf(a, "%c%010zu", '\0', i)),
		    out_memory(&job->piece));
	}
	t->tests += r->n;
}

static void
put_all(struct report_job *job, int version)
{
	struct tap *t = job->own;
	struct str key, text;

	out_printf(job->out, "TAP version %d\n1..%zu\n", version, t->tests);
	for (size_t n = 1; external_sort_next(job->external_sort, &key, &text);
	     n++) {
		out_str(job->out, str_cut(&text, '\n'));
		out_printf(job->out, " %zu", n);
		out_str(job->out, text);
	}
	/* The tests alone would not show that there was trouble. */
	if (job->verdict.status == 2)
		out_printf(
		    job->out, "Bail out! %.*s\n", STR_FMT(job->verdict.why));
	else
		out_printf(job->out, "# %.*s\n", STR_FMT(job->verdict.why));
}

static void
end_14(struct report_job *job)
{
	put_all(job, 14);
}

static void
end_13(struct report_job *job)
{
	put_all(job, 13);
}

const struct report_format report_tap = {
	.name = "tap",
	.what = "TAP 14, a test for each check of each run",
	.guard = OUT_GUARD_TEXT,
	.brief = true,
	.start = start,
	.run = run,
	.end = end_14,
};

const struct report_format report_tap13 = {
	.name = "tap13",
	.what = "the same as TAP 13, which more programs read",
	.guard = OUT_GUARD_TEXT,
	.brief = true,
	.start = start,
	.run = run,
	.end = end_13,
};
