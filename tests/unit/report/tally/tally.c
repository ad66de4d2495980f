/* The counts depend only on the records, not on their order, and the kept failures
 * do not depend on the number of failures. */
#include "report/tally/tally.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { RECORDS = 600, KEPT = 4 };

/* Adds a failed run with the id `number` and a reason that depends on `which`. */
static void
add(struct tally *t, size_t number, size_t which, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct result_cache result_cache = { 0 };
	struct result run;
	struct trace trace;
	struct str why, text;

	text = str_printf(a,
	    "{\"type\":\"trace\",\"v\":1,\"id\":\"%zu\",\"run_index\":%zu,"
	    "\"scenario_id\":\"s%zu\",\"agent\":\"x\",\"status\":\"failed\","
	    "\"duration_ms\":0.1,\"usage\":{\"cost_usd\":0.1},"
	    "\"tool_sequence\":[\"a\",\"b\"],\"check_results\":["
	    "{\"status\":\"failed\",\"at\":\"f.yaml:%zu\",\"reason\":\"r\"},"
	    "{\"status\":\"failed\",\"at\":\"f.yaml:%zu\",\"reason\":\"r\"},"
	    "{\"status\":\"passed\"}]}",
	    number, number, which % 2, which, which);
	CHECK(trace_read(&trace, json_read(&reader, text, NULL, &error)));
	CHECK(result_read(&run, &trace, &result_cache, a, &why));
	result_read_details(&run, a);
	tally_add(t, &run, a);
	json_reader_free(&reader);
	result_cache_free(&result_cache);
}

/* Returns the tally as text. The records are added in steps of `step`. */
static struct str
tally_contents(size_t step, struct arena *a)
{
	struct arena moment = { 0 };
	struct str all = { 0 };
	struct tally_plan plan = tally_plan_default();
	struct tally t;

	plan.max_failures = KEPT;
	tally_start(&t, &plan);
	for (size_t i = 0; i < RECORDS; i++) {
		size_t number = i * step % RECORDS;

		arena_reset(&moment);
		add(&t, number, number % 50, &moment);
	}
	tally_finish(&t);
	CHECK(t.failures.n == KEPT);
	for (size_t i = 0; i < t.failures.n; i++) {
		const struct failure *k = t.failures.list[i];

		all = str_printf(a, "%.*s%.*s %.*s %zu %zu %.*s %.*s\n",
		    STR_FMT(all), STR_FMT(k->scenario), STR_FMT(k->at), k->runs,
		    k->times, STR_FMT(k->examples[0].id),
		    STR_FMT(k->examples[2].id));
	}
	all = str_printf(a, "%.*s%zu groups, %zu left out, %lld, %lld, %lld\n",
	    STR_FMT(all), t.n, failures_left_out(&t.failures, STATUS_FAILED),
	    (long long)t.total.used[USAGE_COST].sum,
	    (long long)t.total.used[METRIC_DURATION].sum,
	    (long long)t.total.used[METRIC_TOOL_CALLS].sum);
	tally_free(&t);
	arena_free(&moment);
	return all;
}

static void
order_does_not_matter(struct arena *a)
{
	static const char want[] = "s0 f.yaml:0 12 24 0 100\n"
				   "s0 f.yaml:2 12 24 2 102\n"
				   "s0 f.yaml:4 12 24 4 104\n"
				   "s0 f.yaml:6 12 24 6 106\n"
				   "2 groups, 1104 left out, 60000000000, "
				   "60000, 1200\n";

	CHECK_STR(tally_contents(1, a), want);
	CHECK_STR(tally_contents(7, a), want);
	CHECK_STR(tally_contents(RECORDS - 1, a), want);
}

static void
places_are_taken_apart(void)
{
	size_t line;

	CHECK_STR(failure_place(STR("a/b.yaml:12"), &line), "a/b.yaml");
	CHECK(line == 12);
	CHECK_STR(failure_place(STR("--require crm:find"), &line),
	    "--require crm:find");
	CHECK(line == 0);
	CHECK_STR(
	    failure_place(STR("--contains 10:30"), &line), "--contains 10:30");
	CHECK(line == 0);
	CHECK_STR(failure_place(STR("12"), &line), "12");
	CHECK_STR(failure_place(STR(":12"), &line), ":12");
	CHECK_STR(failure_place(STR("a:99999999999999999999"), &line),
	    "a:99999999999999999999");
	CHECK(line == 0);
	CHECK(failure_place((struct str){ 0 }, &line).s == NULL);
}

/* A long reason is cut and marked, and large values are not kept whole. */
static void
reasons_are_cut(struct arena *a)
{
	struct result_check c = { .status = STATUS_ERROR };
	struct result run = { .checked = true, .checks = &c, .n = 1 };
	const size_t n = (size_t)3 * FAILURE_TEXT_MAX;
	char *text = arena_alloc(a, n);
	struct failures f;

	memset(text, 'x', n);
	c.reason = (struct str){ text, n };
	failures_start(&f, 1);
	failures_add(&f, &run, a);
	failures_sort(&f);
	CHECK(f.list[0]->reason.n < FAILURE_TEXT_MAX + 64);
	CHECK(str_ends(f.list[0]->reason, "x... [16384 more bytes]"));
	failures_free(&f);
}

static void
none_are_kept(struct arena *a)
{
	struct result_check c = { .status = STATUS_FAILED };
	struct result run = { .checked = true, .checks = &c, .n = 1 };
	struct failures f;

	failures_start(&f, 0);
	for (int i = 0; i < 3; i++)
		failures_add(&f, &run, a);
	failures_sort(&f);
	CHECK(f.n == 0);
	CHECK(failures_left_out(&f, STATUS_FAILED) == 3);
	failures_free(&f);
}

int
main(void)
{
	struct arena a = { 0 };

	order_does_not_matter(&a);
	places_are_taken_apart();
	reasons_are_cut(&a);
	none_are_kept(&a);
	arena_free(&a);
	return unit_status();
}
