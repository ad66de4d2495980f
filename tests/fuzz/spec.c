/* The input is an assertion file, which each dialect reads. The valid parts must be
 * printable; advice is given on them, also with a run, and additions are made. */
#include <stdint.h>

#include "check/advice/advice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char run[] =
    "{\"type\":\"trace\",\"v\":1,\"id\":\"r\",\"prompt\":\"p\",\"final_text\":"
    "\"a\","
    "\"tool_sequence\":[\"t\",\"u\"],\"turns\":[{\"prompt\":\"p\",\"steps\":["
    "{\"tool\":\"t\",\"args\":{\"k\":\"v\",\"n\":1},\"duration_ms\":5},"
    "{\"tool\":\"u\",\"args\":{},\"duration_ms\":7},{\"text\":\"a\"}]}],"
    "\"usage\":{\"llm_calls\":2}}";

static void
advise_on(const struct spec *spec, struct arena *a, struct out *out)
{
	struct advice_runs *runs = advice_runs_new(a, spec);
	struct json_reader reader = { 0 };
	struct trace t;

	advise(out, spec, NULL, ~0U);
	advise_diff(out, spec, NULL, ~0U);
	if (trace_read(&t, json_read(&reader, str_of(run), NULL, NULL)))
		advice_runs_add(runs, &t);
	advise(out, spec, runs, ~0U);
	advise_diff(out, spec, runs, ~0U);
	advice_runs_end(runs);
	json_reader_free(&reader);
}

static void
read_as(const struct dialect *d, struct str text)
{
	struct arena arena = { 0 };
	struct spec spec = { .arena = &arena };
	struct document *doc;
	struct out out;

	policy_begin_file(&spec.policy, &arena);
	doc = document_read_text(&arena, "spec", text, &spec.policy);
	out_open_memory(&out);
	if (doc != NULL)
		spec_load_doc(&spec, doc, d);
	spec_show(&out, &spec);
	spec_warn_lines(&spec);
	advise_on(&spec, &arena, &out);
	out_close(&out);
	spec_close(&spec);
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	read_as(NULL, text); /* the dialect is detected */
	for (const struct dialect *const *d = dialect_table; *d != NULL; d++)
		if (dialect_has_values(*d))
			read_as(*d, text);
	return 0;
}
