/* The input is a record, which is counted three times and printed in each format. No
 * control character of the record may reach the output. */
#include <stdlib.h>

#include "base/diag.h"
#include "report/format/format.h"
#include "text/layout.h"
#include "text/unicode.h"

enum { RUNS = 3 };

/* Checks that the page has no other scripts than its own: the program, the index, and
 * records in at least one and at most as many as there are runs. */
static void
check_page(struct str text)
{
	size_t scripts = 0, ends = 0;

	for (; text.n != 0; text = str_from(text, 1)) {
		scripts += str_starts(text, "<script");
		ends += str_starts(text, "</script");
	}
	if (scripts < 3 || scripts > RUNS + 2 || ends != scripts)
		abort();
}

/* Checks that the output of a JSON format is JSON, and that of other formats has only
 * visible characters, tabs and newlines. */
static void
check_output(const struct report_format *r, struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t n;

	if (r == &report_json || r == &report_mcplab) {
		if (json_read(&reader, text, NULL, &error) == NULL)
			abort();
		json_reader_free(&reader);
		return;
	}
	if (r == &report_html)
		check_page(text);
	for (; text.n != 0; text = str_from(text, n)) {
		uint32_t c = unicode_decode(text, &n);

		if (c != '\n' && c != '\t' && !layout_shows(c))
			abort();
	}
}

static void
print(const struct report_format *r, const struct result *run)
{
	struct arena arena = { 0 }, moment = { 0 };
	struct tally_plan plan = tally_plan_default();
	struct gate gate = gate_default();
	struct external_sort external_sort;
	struct tally tally;
	struct out out;
	struct report_job job = { .arena = &arena,
		.external_sort = &external_sort,
		.out = &out,
		.tally = &tally,
		.gate = &gate,
		.look.width = 80 };

	out_open_memory(&out);
	external_sort_start(&external_sort, 1);
	plan.max_failures = 2;
	tally_start(&tally, &plan);
	report_job_start(&job, r);
	for (int i = 0; i < RUNS; i++) {
		tally_add(&tally, run, &moment);
		if (r->run != NULL)
			r->run(&job, run, &moment);
	}
	tally_finish(&tally);
	external_sort_end(&external_sort);
	job.verdict =
	    gate_decide(&gate, &(struct gate_facts){ .tally = &tally }, &arena);
	r->end(&job);
	check_output(r, out_memory(&out));
	out_close(&out);
	report_job_free(&job);
	external_sort_free(&external_sort);
	tally_free(&tally);
	arena_free(&moment);
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_reader reader = { 0 };
	struct result_cache result_cache = { 0 };
	struct arena arena = { 0 };
	struct json_error error;
	struct result run;
	struct trace trace;
	const struct json *record = json_read(
	    &reader, (struct str){ (const char *)data, size }, NULL, &error);
	struct str why;

	diag_quiet();
	if (trace_read(&trace, record) &&
	    result_read(&run, &trace, &result_cache, &arena, &why)) {
		result_read_details(&run, &arena);
		for (size_t i = 0; report_table[i] != NULL; i++)
			print(report_table[i], &run);
	}
	json_reader_free(&reader);
	result_cache_free(&result_cache);
	arena_free(&arena);
	return 0;
}
