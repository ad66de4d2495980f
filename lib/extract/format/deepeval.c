/*
 * DeepEval's test runs, one JSON object each: every test case and every
 * conversation is a run.
 */
#include "extract/format/log_format.h"

static const struct json *
test_run_of(const struct json *r)
{
	const struct json *within = json_get(r, "testRunData");

	return within != NULL ? within : r;
}

static bool
is_case(const struct json *v)
{
	return json_is(json_get(v, "name"), JSON_STRING) &&
	    (json_get(v, "input") != NULL || json_get(v, "turns") != NULL);
}

static int
score(const struct json *r)
{
	const struct json *run = test_run_of(r);

	return is_case(json_at(json_get(run, "testCases"), 0)) ||
		is_case(json_at(json_get(run, "conversationalTestCases"), 0))
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- calls ---- */

static void
read_calls(struct builder *b, const struct json *list)
{
	for (json_each(call, list)) {
		builder_call(b, .tool = json_get(call, "name"),
		    .args =
			field_find(call, "inputParameters input_parameters"),
		    .ended = true);
		if (field_find(call, "output") != NULL)
			builder_result(b, .tool = json_get(call, "name"),
			    .value = field_find(call, "output"));
	}
}

static bool
is_errored(const struct json *span)
{
	return field_is(span, "status", "ERRORED");
}

static void
read_tool_span(struct builder *b, const struct json *span)
{
	const struct json *id = json_get(span, "uuid");
	const struct json *error = field_find(span, "error");

	builder_locate(b, .ts = json_get(span, "startTime"));
	builder_call(b, .id = id, .tool = json_get(span, "name"),
	    .args = field_find(span, "input"));
	builder_locate(b, .ts = json_get(span, "endTime"));
	builder_result(b, .id = id,
	    .value = is_errored(span) && error != NULL
		? error
		: field_find(span, "output"),
	    .is_error = builder_bool(is_errored(span)));
}

/* ---- what was used ---- */

static void
read_llm_span(struct usage *all, struct builder *b, const struct json *span)
{
	const struct json *input = field_find(span, "inputTokenCount");
	const struct json *output = field_find(span, "outputTokenCount");
	const struct json *in = field_find(span, "costPerInputToken");
	const struct json *out = field_find(span, "costPerOutputToken");
	struct usage u = { 0 };

	builder_model(b, field_find(span, "model"));
	usage_read(&u, USAGE_INPUT, input);
	usage_read(&u, USAGE_OUTPUT, output);
	usage_set(&u, USAGE_LLM_CALLS, 1);
	if (input != NULL && output != NULL && in != NULL && out != NULL)
		usage_set(&u, USAGE_COST,
		    json_double(input) * json_double(in) +
			json_double(output) * json_double(out));
	usage_add(all, &u);
}

/* Reads the usage of a test. The usage of judges is logged separately and is
 * not the run's. */
static void
read_usage(struct builder *b, const struct json *test)
{
	struct usage u = { 0 };

	for (json_each(span, field_find(test, "trace.llmSpans")))
		read_llm_span(&u, b, span);
	usage_read(&u, USAGE_INPUT, field_find(test, "inputTokenCount"));
	usage_read(&u, USAGE_OUTPUT, field_find(test, "outputTokenCount"));
	usage_read(&u, USAGE_COST, field_find(test, "tokenCost"));
	if (u.known != 0)
		builder_total(b, &u);
}

/* ---- cases ---- */

/* Reads a test case. Its spans have more about the calls than its list of calls
 * has. */
static void
read_single(struct builder *b, const struct json *test)
{
	const struct json *trace = field_find(test, "trace");
	const struct json *spans = field_find(trace, "toolSpans");
	const struct json *calls = field_find(test, "toolsCalled");

	builder_locate(b, .ts = json_get(trace, "startTime"));
	builder_prompt(b, json_get(test, "input"));
	for (json_each(span, spans))
		read_tool_span(b, span);
	if (json_count(spans) == 0)
		read_calls(b, calls);
	if (trace == NULL && calls == NULL)
		builder_no_calls(b);
	builder_locate(b, .ts = json_get(trace, "endTime"));
	builder_text(b, field_find(test, "actualOutput"));
	builder_set_times(
	    b, field_find(trace, "startTime"), field_find(trace, "endTime"));
	builder_meta(b, "conversation", field_find(trace, "threadId"));
	for (json_each(span, field_find(trace, "agentSpans")))
		if (is_errored(span) && field_find(span, "parentUuid") == NULL)
			builder_error(b, field_find(span, "error"));
	if (trace == NULL)
		builder_duration(
		    b, json_double(field_find(test, "completionTime")) * 1000);
}

static void
read_conversation(struct builder *b, const struct json *turns)
{
	bool known = false;

	for (json_each(turn, turns)) {
		const struct json *calls = field_find(turn, "toolsCalled");

		known |= calls != NULL;
		if (field_is(turn, "role", "user")) {
			builder_prompt(b, json_get(turn, "content"));
			continue;
		}
		read_calls(b, calls);
		builder_text(b, json_get(turn, "content"));
	}
	if (!known)
		builder_no_calls(b);
}

static void
read_case(struct log *log, const struct json *run, const struct json *test)
{
	struct builder *b = log->builder;

	log_source(log, test);
	builder_begin_run(b);
	builder_set(b, RUN_ID, field_find(test, "trace.uuid"));
	builder_set(b, RUN_GROUP, field_find(run, "identifier"));
	builder_set(b, RUN_SCENARIO, json_get(test, "name"));
	if (json_get(test, "turns") != NULL)
		read_conversation(b, json_get(test, "turns"));
	else
		read_single(b, test);
	read_usage(b, test);
	builder_meta(b, "success", field_find(test, "success"));
	builder_meta(b, "metadata", field_find(test, "metadata"));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *run = test_run_of(r);

	for (json_each(test, json_get(run, "testCases")))
		read_case(log, run, test);
	for (json_each(test, json_get(run, "conversationalTestCases")))
		read_case(log, run, test);
}

const struct log_format log_format_deepeval = {
	.name = "deepeval",
	.what = "DeepEval: test runs, with test cases and conversations",
	.score = score,
	.signs = "testRunData testCases conversationalTestCases",
	.read = read_record,
};
