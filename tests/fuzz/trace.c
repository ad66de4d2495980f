/* The input is a record, which is checked with an assertion of each form. The checked
 * record must be the same, byte for byte, after a second check. */
#include <assert.h>
#include <stdint.h>

#include "check/dialect/apply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char forms[] =
    "{\"eval\":{"
    "\"tool_constraints\":{\"required_tools\":[\"a\"],"
    "\"forbidden_tools\":[\"mcp__s__b\"]},"
    "\"tool_sequence\":[\"a\",\"b\"],"
    "\"tool_input_assertions\":["
    "{\"type\":\"contains\",\"tool\":\"a\",\"value\":\"1\"},"
    "{\"type\":\"regex\",\"tool\":\"a\",\"pattern\":\"x.\"},"
    "{\"type\":\"jsonpath\",\"tool\":\"a\",\"path\":\"$..k\"}],"
    "\"response_assertions\":["
    "{\"type\":\"not_contains\",\"value\":\"x\"},"
    "{\"type\":\"starts_with\",\"value\":\"x\"},"
    "{\"type\":\"ends_with\",\"value\":\"x\"},"
    "{\"type\":\"equals\",\"value\":\"x\"},"
    "{\"type\":\"regex\",\"pattern\":\"(a|b)+\"},"
    "{\"type\":\"jsonpath\",\"path\":\"$.k\",\"equals\":1}],"
    "\"agent_context\":{\"include_tool_inputs\":true},"
    "\"agent_assertions\":[{\"label\":\"l\",\"prompt\":\"p\"}]},"
    "\"extract\":[{\"name\":\"n\",\"regex\":\"(.)x\"}]}";

/* Returns the record with its verdict, or an absent text if the text is no trace. */
static struct str
checked(struct apply *apply, const struct spec *spec, struct str text,
    struct out *out)
{
	struct json_reader reader = { 0 };
	const struct json *record = json_read(&reader, text, NULL, NULL);
	struct trace t;
	bool is_trace = record != NULL && trace_read(&t, record);

	if (is_trace)
		apply_write(apply, spec, &t, out);
	json_reader_free(&reader);
	return is_trace ? out_memory(out) : (struct str){ 0 };
}

/* Returns the assertions. They are read once, since reading takes most of the time. */
static const struct spec *
all_forms(void)
{
	static struct arena arena;
	static struct spec spec;

	if (spec.arena == NULL) {
		spec.arena = &arena;
		spec_load_doc(&spec,
		    document_read_text(&arena, "forms", str_of(forms), NULL),
		    dialect_named("mcplab"));
	}
	return &spec;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct spec *spec = all_forms();
	struct str text = { (const char *)data, size };
	struct apply apply = { 0 };
	struct out once, twice;
	struct str first;

	apply_open(&apply);
	out_open_memory(&once);
	out_open_memory(&twice);
	first = checked(&apply, spec, text, &once);
	if (first.s != NULL)
		assert(str_eq(checked(&apply, spec, first, &twice), first));
	out_close(&once);
	out_close(&twice);
	apply_close(&apply);
	return 0;
}
