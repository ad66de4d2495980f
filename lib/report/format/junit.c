/* The junit report, JUnit's XML: a test suite for each scenario, a test case
 * for each check of each run. */
#include <string.h>

#include "base/hash.h"
#include "base/timestamp.h"
#include "report/format/format.h"
#include "report/table/test_case.h"
#include "text/xml.h"

/* The times that a timestamp of XML can have, in ms. */
#define YEAR_1 INT64_C(-62135596800000)
#define YEAR_10000 INT64_C(253402300800000)

/* The counts of a suite, which XML has before the suite's cases. */
struct suite {
	size_t tests, failures, errors, skipped;
	int64_t duration; /* in microseconds */
	int64_t start;    /* of its first run, in ms, if `started` */
	bool started;
};

struct junit {
	struct hash_table suites;
	struct suite all;
};

static void
start(struct report_job *job)
{
	struct junit *j = job->own = arena_new(job->arena, struct junit);

	j->suites.arena = job->arena;
}

static void
put_count(struct out *o, const char *name, size_t n)
{
	out_printf(o, " %s=\"%zu\"", name, n);
}

static void
put_time(struct out *o, int64_t microseconds)
{
	long long ms = microseconds / 1000 + (microseconds % 1000 >= 500);

	out_printf(o, " time=\"%lld.%03lld\"", ms / 1000, ms % 1000);
}

/* ---- test cases ---- */

/* Returns the element of a test case that did not pass, else NULL. A pending
 * check is an error: nothing has passed, and the gate says the same. */
static const char *
element(const struct gate *gate, const struct result_check *c)
{
	if (test_case_is_mild(gate, c))
		return "skipped";
	switch (c->status) {
	case STATUS_PASSED:
		return NULL;
	case STATUS_FAILED:
		return "failure";
	case STATUS_ERROR:
	case STATUS_PENDING:
		return "error";
	default:
		return "skipped";
	}
}

/* Puts the element of a check that is too mild to fail the suite. */
static void
put_mild(struct out *o, const struct result *r, const struct result_check *c,
    struct arena *a)
{
	out_text(o, "<skipped");
	xml_attribute(o, "message", test_case_mild_message(c, a), a);
	out_text(o, "/><system-out>");
	xml_text(o, test_case_details(r, c, a), a);
	out_text(o, "</system-out></testcase>\n");
}

static void
put_element(struct out *o, const struct result *r, const struct result_check *c,
    const char *name, struct arena *a)
{
	out_printf(o, "<%s", name);
	xml_attribute(o, "message", test_case_message(c), a);
	if (c->status != STATUS_SKIPPED && c->status != STATUS_UNCHECKED) {
		xml_attribute(o, "type",
		    c->status == STATUS_PENDING ? STR("pending") : c->type, a);
		out_char(o, '>');
		xml_text(o, test_case_details(r, c, a), a);
		out_printf(o, "</%s></testcase>\n", name);
	} else {
		out_text(o, "/></testcase>\n");
	}
}

static void
put_case(struct report_job *job, const struct result *r,
    const struct result_check *c, struct str suite, struct arena *a)
{
	struct out *o = &job->piece;
	const char *name = element(job->gate, c);

	out_text(o, "<testcase");
	xml_attribute(o, "classname", suite, a);
	xml_attribute(o, "name", test_case_name(r, c, a), a);
	put_time(o, test_case_time(r, c));
	if (name == NULL) {
		out_text(o, "/>\n");
		return;
	}
	out_char(o, '>');
	if (test_case_is_mild(job->gate, c))
		put_mild(o, r, c, a);
	else
		put_element(o, r, c, name, a);
}

static void
count_case(struct suite *s, const char *element_name)
{
	const char *name = element_name == NULL ? "" : element_name;

	s->tests++;
	s->failures += strcmp(name, "failure") == 0;
	s->errors += strcmp(name, "error") == 0;
	s->skipped += strcmp(name, "skipped") == 0;
}

static void
count_run(struct suite *s, const struct gate *gate, const struct result *r)
{
	int64_t start;

	s->duration = metric_add(s->duration, r->used[METRIC_DURATION]);
	for (size_t i = 0; i < r->n; i++)
		count_case(s, element(gate, &r->checks[i]));
	if (timestamp_text(r->start, &start) && start >= YEAR_1 &&
	    start < YEAR_10000 && (!s->started || start < s->start)) {
		s->start = start;
		s->started = true;
	}
}

static struct suite *
suite_named(struct report_job *job, struct str name)
{
	struct junit *j = job->own;
	struct suite *s = hash_get(&j->suites, name);

	if (s == NULL) {
		s = arena_new(job->arena, struct suite);
		*hash_put(&j->suites, str_dup(job->arena, name)) = s;
	}
	return s;
}

static void
run(struct report_job *job, const struct result *r, struct arena *a)
{
	struct junit *j = job->own;
	struct str suite = test_case_suite(r, a);

	out_clear(&job->piece);
	for (size_t i = 0; i < r->n; i++)
		put_case(job, r, &r->checks[i], suite, a);
	count_run(suite_named(job, suite), job->gate, r);
	count_run(&j->all, job->gate, r);
	external_sort_add(
	    job->external_sort, test_case_order(r, a), out_memory(&job->piece));
}

/* ---- the document ---- */

static void
begin_suite(struct report_job *job, struct str name)
{
	enum { SECONDS = 19 }; /* without fraction and zone */
	const struct suite *s = suite_named(job, name);
	struct out *o = job->out;
	char text[TIMESTAMP_SIZE];

	out_text(o, "<testsuite");
	xml_attribute(o, "name", name, job->arena);
	put_count(o, "tests", s->tests);
	put_count(o, "failures", s->failures);
	put_count(o, "errors", s->errors);
	put_count(o, "skipped", s->skipped);
	put_time(o, s->duration);
	if (s->started)
		xml_attribute(o, "timestamp",
		    str_slice(timestamp_print(s->start, text), 0, SECONDS),
		    job->arena);
	out_text(o, ">\n<properties/>\n");
}

static void
put_suites(struct report_job *job)
{
	struct str key, text, suite = { 0 };

	while (external_sort_next(job->external_sort, &key, &text)) {
		struct str name = str_cut(&key, '\0');

		if (suite.s == NULL || !str_eq(name, suite)) {
			if (suite.s != NULL)
				out_text(job->out, "</testsuite>\n");
			suite = str_dup(job->arena, name);
			begin_suite(job, suite);
		}
		out_str(job->out, text);
	}
	if (suite.s != NULL)
		out_text(job->out, "</testsuite>\n");
}

static void
end(struct report_job *job)
{
	struct junit *j = job->own;
	struct out *o = job->out;

	out_text(o,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites name=\"mcpl\"");
	put_count(o, "tests", j->all.tests);
	put_count(o, "failures", j->all.failures);
	put_count(o, "errors", j->all.errors);
	put_time(o, j->all.duration);
	out_text(o, ">\n");
	put_suites(job);
	out_text(o, "</testsuites>");
	out_line(o);
}

const struct report_format report_junit = {
	.name = "junit",
	.what = "JUnit's XML, a test case for each check of each run",
	.brief = true,
	.mute = true,
	.start = start,
	.run = run,
	.end = end,
};
