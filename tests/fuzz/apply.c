/* The input is an assertion file, a line with only a NUL byte, and records. Each
 * dialect that can read the file checks the records: the output for each trace must
 * be a trace. */
#include "check/dialect/apply.h"

#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
check_records(const struct spec *spec, struct str records)
{
	struct json_reader reader = { 0 };
	struct apply apply = { 0 };
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
	out_close(&out);
	apply_close(&apply);
	json_reader_free(&reader);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	size_t split = str_find(text, (struct str){ "\n\0\n", 3 });

	diag_quiet();
	for (const struct dialect *const *d = dialect_table; *d; d++) {
		struct arena arena = { 0 };
		struct spec spec = { .arena = &arena };
		struct document *doc;

		policy_begin_file(&spec.policy, &arena);
		doc = document_read_text(
		    &arena, "spec", str_slice(text, 0, split), &spec.policy);
		if (doc != NULL && dialect_has_values(*d)) {
			spec_load_doc(&spec, doc, *d);
			check_records(&spec, str_from(text, split + 3));
		}
		spec_close(&spec);
		arena_free(&arena);
	}
	return 0;
}
