/*
 * promptfoo's results (one JSON object): each test, prompt and provider is a
 * run.
 */
#include <inttypes.h>

#include "emulate/lang/js.h"
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_message.h"
#include "extract/format/codex_call.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "io/out.h"

enum { FAILED_BY_ERROR = 2 }; /* a value of failureReason */

#define RESULT "testCase provider"
#define RESULTS "results.results results"
#define CALLS "response.metadata.toolCalls response.raw.toolCalls"

/* Reads a prompt, which may be a conversation as text. */
static void
read_prompt(struct log *log, const struct json *raw)
{
	struct builder *b = log->builder;
	const struct json *list = str_starts(json_raw(raw), "[")
	    ? field_decode(log->scratch, raw)
	    : NULL;

	if (openai_messages_are(list))
		for (json_each(m, list))
			openai_message_read(b, m, NULL, false);
	else
		builder_prompt(b, raw);
}

/* Reads Codex's items in the turn that promptfoo's Codex provider keeps as
 * text. Returns whether there are any. */
static bool
read_items(struct log *log, const struct json *raw)
{
	struct codex_calls how = { 0 };
	const struct json *turn = str_starts(json_raw(raw), "{")
	    ? field_decode(log->scratch, raw)
	    : raw;
	const struct json *items = json_get(turn, "items");
	bool known = json_is(items, JSON_ARRAY) &&
	    json_get(turn, "finalResponse") != NULL;

	for (json_each(item, known ? items : NULL))
		if (!codex_call_read(log->builder, item, &how) &&
		    !field_is_type(
			item, "agent_message reasoning todo_list error"))
			log_unread(log, item);
	return known;
}

static void
locate_call(struct log *log, const struct json *call)
{
	const struct json *parent = field_find(call, "parentToolUseId");

	builder_locate(log->builder, .sidechain = parent != NULL,
	    .agent = parent, .parent = json_raw(parent));
}

/* Calls that an agent made. */
static const struct log_row calls[] = {
	LOG_ROW("", LOG_HOOK, .read = locate_call),
	LOG_ROW("", LOG_CALL, .id = "id", .tool = "name toolName function.name",
	    .args = "input args arguments function.arguments",
	    .result = "output result", .is_error = "is_error", .decode = true),
	LOG_LAST,
};

/* Reads calls that a model asked for, which some providers log as the output.
 * Returns whether there are any. */
static bool
read_asked(struct builder *b, const struct json *output)
{
	const struct json *list = json_get(output, "tool_calls");

	if (list == NULL)
		list = output;
	builder_locate(b, 0);
	for (json_each(call, list))
		if (json_get(call, "function") != NULL)
			openai_call_read(b, call);
	return json_get(json_at(list, 0), "function") != NULL;
}

static void
read_usage(struct builder *b, const struct json *response)
{
	const struct json *counts = json_get(response, "tokenUsage");
	struct usage u = anthropic_usage_by_model(
	    field_find(response, "metadata.modelUsage"));

	if (u.known != 0)
		counts = NULL; /* these lack caches and sub-agents */
	field_usage(&u, counts, .input_and_cache = "prompt",
	    .output = "completion",
	    .cache_read = "completionDetails.cacheReadInputTokens",
	    .cache_write = "completionDetails.cacheCreationInputTokens",
	    .reasoning = "completionDetails.reasoning",
	    .llm_calls = "numRequests");
	usage_read(&u, USAGE_COST, json_get(response, "cost"));
	if (u.known != 0)
		builder_total(b, &u);
}

/* Reads the result's own id; in files from before results had ids, the id is
 * derived from its indices. */
static void
read_id(struct log *log, const struct json *r)
{
	struct str eval = log->id;
	const struct json *test = json_get(r, "testIdx");
	const struct json *prompt = json_get(r, "promptIdx");

	builder_set(log->builder, RUN_ID, json_get(r, "id"));
	if (eval.s != NULL)
		builder_set_body(log->builder, RUN_GROUP, eval);
	if (json_get(r, "id") == NULL && test != NULL && prompt != NULL)
		builder_set_body(log->builder, RUN_ID,
		    str_printf(log->arena, "%.*s%s%.*s/%.*s", STR_FMT(eval),
			eval.s == NULL ? "" : "/", STR_FMT(test->text),
			STR_FMT(prompt->text)));
}

/* Reads an answer that is a value and no message: its JSON is the text. */
static void
read_value(struct builder *b, const struct json *output)
{
	if (json_is(output, JSON_OBJECT) &&
	    field_find(output, "content tool_calls") == NULL)
		builder_text_value(b, output);
}

/* Returns the run's own error, or NULL. The member also reports failed
 * assertions, which are no errors of the run. */
static const struct json *
error_of(const struct json *r)
{
	const struct json *response = field_find(r, "response");
	const struct json *why = field_find(response, "error");
	double reason = json_double(json_get(r, "failureReason"));

	if (why == NULL && (response == NULL || reason == FAILED_BY_ERROR))
		why = field_find(r, "error");
	return why;
}

/* Notes of which assertions the result is, so that it can be told from results of
 * other tests with the same vars. */
static void
read_assertions(struct log *log, const struct json *test)
{
	uint64_t hash = HASH_START;

	for (json_each(assertion, json_get(test, "assert")))
		hash = js_hash(hash, assertion, log->scratch);
	builder_meta(log->builder, "assert_hash",
	    builder_str(
		log->builder, str_printf(log->scratch, "%016" PRIx64, hash)));
}

static void
begin_result(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *label = json_path(r, "provider.label");

	arena_reset(log->scratch);
	log_source(log, r);
	builder_begin_run(b);
	read_id(log, r);
	builder_set(b, RUN_AGENT,
	    json_raw(label).n != 0 ? label : field_find(r, "provider.id"));
	builder_model(b, field_find(r, "response.metadata.model"));
	builder_model(
	    b, json_first(field_find(r, "response.metadata.modelUsage")));
}

/* Reads the output and what was used, after the calls that an agent made. */
static void
read_response(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *response = json_get(r, "response");
	const struct json *output = json_get(response, "output");

	if (!read_asked(b, output) && field_find(r, CALLS) == NULL &&
	    !read_items(log, json_get(response, "raw")))
		builder_no_calls(b);
	builder_text(b, output);
	read_value(b, output);
	builder_stop_reason(b, json_get(response, "finishReason"));
	if (json_is(json_get(response, "isRefusal"), JSON_TRUE))
		builder_refused(b);
	read_usage(b, response);
	builder_error(b, error_of(r));
}

static const struct log_row result[] = {
	LOG_ROW("", LOG_HOOK, .read = begin_result),
	LOG_ROW("", LOG_SET, .of = "testCase.description description",
	    .member = RUN_SCENARIO),
	LOG_ROW(
	    "", LOG_META, .name = "conversation", .of = "response.sessionId"),
	LOG_ROW("", LOG_META, .name = "success", .of = "success"),
	LOG_ROW("", LOG_META, .name = "score", .of = "score"),
	LOG_ROW("", LOG_META, .name = "vars", .of = "vars"),
	LOG_ROW("", LOG_META, .name = "test_index", .of = "testIdx"),
	LOG_ROW("", LOG_HOOK, .of = "testCase", .read = read_assertions),
	LOG_ROW("", LOG_META, .name = "finish_reason",
	    .of = "response.finishReason"),
	LOG_ROW("", LOG_SET, .of = "latencyMs", .member = RUN_DURATION),
	LOG_ROW("", LOG_HOOK, .of = "prompt.raw", .read = read_prompt),
	LOG_ROW("", LOG_TEXT, .of = "response.output.content"),
	LOG_ROW("", LOG_EACH, .of = CALLS, .rows = calls),
	LOG_ROW("", LOG_HOOK, .read = read_response),
	LOG_ROW("", LOG_END),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW(RESULT, LOG_IN, .of = "", .rows = result),
	LOG_ROW("results else", LOG_EACH, .of = RESULTS, .rows = result),
	LOG_LAST,
};

static void
before(struct log *log, const struct json *r)
{
	log->id = json_raw(field_find(r, "evalId"));
}

const struct log_format log_format_promptfoo = {
	.name = "promptfoo",
	.what = "promptfoo: results",
	.sure = RESULT ", evalId results",
	.nested = "results.results.0 results.0",
	.lists = "results.results results",
	.head = "evalId",
	.before = before,
	.rows = rows,
	.knows_blocks = true, /* assertions and configurations are no calls */
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
