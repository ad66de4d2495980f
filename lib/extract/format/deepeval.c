/*
 * DeepEval's test runs, one JSON object each: every test case and every
 * conversation is a run.
 */
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* Paths of lists of tests. */
#define CASES "testRunData.testCases testCases"
#define CONVERSATIONS \
	"testRunData.conversationalTestCases conversationalTestCases"

#define IDENTIFIER "testRunData.identifier identifier"

/* ---- calls ---- */

static void
read_calls(struct log *log, const struct json *list)
{
	struct builder *b = log->builder;

	if (list != NULL)
		builder_records_calls(b);
	for (json_each(call, list)) {
		builder_call(b, .tool = json_get(call, "name"),
		    .args =
			field_find(call, "inputParameters input_parameters"),
		    .ended = true);
		if (field_find(call, "output") != NULL)
			builder_result(b, .last = true,
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
	const struct json *error = field_find(span, "error");

	builder_locate(b, .ts = json_get(span, "startTime"));
	builder_call(b, .id = json_get(span, "uuid"),
	    .tool = json_get(span, "name"), .args = field_find(span, "input"));
	builder_locate(b, .ts = json_get(span, "endTime"));
	builder_result(b, .last = true,
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
read_usage(struct log *log, const struct json *test)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	for (json_each(span, field_find(test, "trace.llmSpans")))
		read_llm_span(&u, b, span);
	field_usage(&u, test, .input = "inputTokenCount",
	    .output = "outputTokenCount", .cost = "tokenCost");
	if (u.known != 0)
		builder_total(b, &u);
}

/* ---- cases ---- */

/* Counts answers of models that may ask for calls of which the trace has neither
 * spans nor a list. */
static void
count_asked(struct log *log, const struct json *trace)
{
	for (json_each(span, field_find(trace, "llmSpans"))) {
		const struct json *output = field_find(span, "output");
		unsigned lost = output == NULL ? 0 : unread_lost(output);

		if (lost & RUN_LOST_CALL)
			log_unread_as(log, output, RUN_LOST_CALL);
	}
}

/* Reads a test case. Its spans have more about the calls than its list of calls
 * has. */
static void
read_single(struct log *log, const struct json *test)
{
	struct builder *b = log->builder;
	const struct json *trace = field_find(test, "trace");
	const struct json *spans = field_find(trace, "toolSpans");
	const struct json *calls = field_find(test, "toolsCalled");

	builder_locate(b, .ts = json_get(trace, "startTime"));
	builder_prompt(b, json_get(test, "input"));
	for (json_each(span, spans))
		read_tool_span(b, span);
	if (json_count(spans) == 0)
		read_calls(log, calls);
	if (json_count(spans) == 0 && calls == NULL)
		count_asked(log, trace);
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
before(struct log *log, const struct json *r)
{
	log->id = json_raw(field_find(r, IDENTIFIER));
}

static void
begin_case(struct log *log, const struct json *test)
{
	struct builder *b = log->builder;

	log_source(log, test);
	builder_begin_run(b);
	if (log->id.n != 0)
		builder_set_body(b, RUN_GROUP, log->id);
	if (field_find(test, "turns") != NULL)
		builder_no_calls(b); /* unless a turn lists its calls */
}

/* Turns; in older versions, each is a test case. */
static const struct log_row turns[] = {
	LOG_ROW("role=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("!role input", LOG_PROMPT, .of = "input"),
	LOG_ROW("role=assistant, !role input", LOG_HOOK, .of = "toolsCalled",
	    .read = read_calls),
	LOG_ROW("role=assistant, !role input", LOG_TEXT,
	    .of = "content actualOutput"),
	LOG_LAST,
};

static const struct log_row cases[] = {
	LOG_ROW("", LOG_HOOK, .read = begin_case),
	LOG_ROW("", LOG_SET, .of = "trace.uuid", .member = RUN_ID),
	LOG_ROW("", LOG_SET, .of = "name", .member = RUN_SCENARIO),
	LOG_ROW("turns", LOG_EACH, .of = "turns", .rows = turns),
	LOG_ROW("!turns", LOG_HOOK, .read = read_single),
	LOG_ROW("", LOG_HOOK, .read = read_usage),
	LOG_ROW("", LOG_META, .name = "success", .of = "success"),
	LOG_ROW("", LOG_META, .name = "metadata", .of = "metadata"),
	LOG_ROW("", LOG_END),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("testRunData, testCases, conversationalTestCases", LOG_EACH,
	    .of = CASES, .rows = cases),
	LOG_ROW("testRunData, testCases, conversationalTestCases", LOG_EACH,
	    .of = CONVERSATIONS, .rows = cases),
	LOG_LAST,
};

const struct log_format log_format_deepeval = {
	.name = "deepeval",
	.what = "DeepEval: test runs, with test cases and conversations",
	.sure = "testRunData.testCases.0.name=\" "
		"testRunData.testCases.0.input, "
		"testCases.0.name=\" testCases.0.input, "
		"testRunData.conversationalTestCases.0.name=\" "
		"testRunData.conversationalTestCases.0.turns, "
		"conversationalTestCases.0.name=\" "
		"conversationalTestCases.0.turns",
	.lists = CASES " " CONVERSATIONS,
	.head = IDENTIFIER,
	.before = before,
	.rows = rows,
	.knows_blocks = true, /* `expectedTools` and judges are no calls */
};
