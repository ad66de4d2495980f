/* The input is a file of rules, a line with only a NUL byte, and records. The rules
 * that were understood must be printable as JSON, and the output for each trace must be
 * a trace. Advice is given on the rules, with the runs. */
#include "check/advice/advice.h"
#include "check/dialect/apply.h"

#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
check_shown(const struct spec *spec)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str lines;
	struct out out;

	out_open_memory(&out);
	spec_show(&out, spec);
	lines = out_memory(&out);
	while (lines.n != 0)
		if (json_read(&reader, str_cut(&lines, '\n'), NULL, &error) ==
		    NULL)
			abort();
	out_close(&out);
	json_reader_free(&reader);
}

static void
check_advice(const struct spec *spec, struct str records, struct arena *a)
{
	struct advice_runs *runs = advice_runs_new(a, spec);
	struct json_reader reader = { 0 };
	struct json_error error;
	struct trace t;
	struct out out;

	while (records.s != NULL)
		if (trace_read(&t,
			json_read(
			    &reader, str_cut(&records, '\n'), NULL, &error)))
			advice_runs_add(runs, &t);
	out_open_memory(&out);
	advise(&out, spec, runs, ~0U);
	advise_diff(&out, spec, runs, ~0U);
	out_close(&out);
	advice_runs_end(runs);
	json_reader_free(&reader);
}

static void
check_records(const struct spec *spec, struct str records)
{
	struct json_reader reader = { 0 };
	struct apply apply = { 0 };
	struct arena arena = { 0 };
	struct json_error error;
	struct trace t;
	struct out out;

	apply_open(&apply);
	out_open_memory(&out);
	while (records.s != NULL) {
		struct str line = str_cut(&records, '\n');

		if (!trace_read(&t, json_read(&reader, line, NULL, &error)))
			continue;
		apply_write(&apply, spec, &t, &out);
		check_trace(out_memory(&out));
		out_clear(&out);
	}
	spec_warn_tools(
	    spec, rule_tools_add(&spec->rules, NULL, &arena, &apply.view));
	out_close(&out);
	apply_close(&apply);
	arena_free(&arena);
	json_reader_free(&reader);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	size_t split = str_find(text, (struct str){ "\n\0\n", 3 });
	struct str rules = str_slice(text, 0, split);
	struct arena arena = { 0 };
	struct spec spec = { .arena = &arena };

	/* A rule could name a file that never ends. */
	if (str_contains(rules, "same"))
		return 0;
	diag_quiet();
	policy_begin_file(&spec.policy, &arena);
	spec_load_text(&spec, "rules", rules, &dialect_rules);
	check_shown(&spec);
	check_records(&spec, str_from(text, split + 3));
	check_advice(&spec, str_from(text, split + 3), &arena);
	spec_close(&spec);
	arena_free(&arena);
	return 0;
}
