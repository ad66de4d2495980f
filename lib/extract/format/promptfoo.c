/*
 * promptfoo's results (one JSON object): each test, prompt and provider is a
 * run.
 */
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_message.h"
#include "extract/format/codex_call.h"
#include "extract/format/log_format.h"
#include "io/out.h"

enum { FAILED_BY_ERROR = 2 }; /* a value of failureReason */

static const struct json *
results_of(const struct json *r)
{
	return field_find(r, "results.results results");
}

static bool
is_result(const struct json *r)
{
	return json_get(r, "testCase") != NULL &&
	    json_get(r, "provider") != NULL;
}

static int
score(const struct json *r)
{
	return is_result(r) || is_result(json_at(results_of(r), 0)) ||
		(json_get(r, "evalId") != NULL &&
		    json_get(r, "results") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

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
		(void)codex_call_read(log->builder, item, &how);
	return known;
}

/* Reads calls. Some providers log what an agent called; others log what a model
 * asked for, as the output. Returns whether there are calls. */
static bool
read_calls(struct builder *b, const struct json *response)
{
	const struct json *list =
	    field_find(response, "metadata.toolCalls raw.toolCalls");
	const struct json *output = json_get(response, "output");

	for (json_each(call, list)) {
		const struct json *parent = field_find(call, "parentToolUseId");

		builder_locate(b, .sidechain = parent != NULL, .agent = parent,
		    .parent = json_raw(parent));
		builder_call(b, .id = json_get(call, "id"),
		    .tool = field_find(call, "name toolName function.name"),
		    .args = field_find(
			call, "input args arguments function.arguments"),
		    .decode = true);
		if (field_find(call, "output result") != NULL)
			builder_result(b, .id = json_get(call, "id"),
			    .value = field_find(call, "output result"),
			    .is_error = json_get(call, "is_error"));
	}
	builder_locate(b, 0);
	if (json_get(output, "tool_calls") != NULL)
		output = json_get(output, "tool_calls");
	for (json_each(call, output))
		if (json_get(call, "function") != NULL)
			openai_call_read(b, call);
	return list != NULL || json_get(json_at(output, 0), "function") != NULL;
}

static void
read_usage(struct builder *b, const struct json *response)
{
	const struct json *counts = json_get(response, "tokenUsage");
	struct usage u = anthropic_usage_by_model(
	    field_find(response, "metadata.modelUsage"));

	if (u.known != 0)
		counts = NULL; /* these lack caches and sub-agents */
	usage_read(&u, USAGE_CACHE_READ,
	    json_path(counts, "completionDetails.cacheReadInputTokens"));
	usage_read(&u, USAGE_CACHE_WRITE,
	    json_path(counts, "completionDetails.cacheCreationInputTokens"));
	usage_input_with_cache(&u, json_get(counts, "prompt"));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, "completion"));
	usage_read(&u, USAGE_REASONING,
	    json_path(counts, "completionDetails.reasoning"));
	usage_read(&u, USAGE_COST, json_get(response, "cost"));
	usage_read(&u, USAGE_LLM_CALLS, json_get(counts, "numRequests"));
	if (u.known != 0)
		builder_total(b, &u);
}

/* Reads the result's own id; in files from before results had ids, the id is
 * derived from its indices. */
static void
read_id(struct log *log, const struct json *eval, const struct json *r)
{
	const struct json *test = json_get(r, "testIdx");
	const struct json *prompt = json_get(r, "promptIdx");

	builder_set(log->builder, RUN_ID, json_get(r, "id"));
	builder_set(log->builder, RUN_GROUP, eval);
	if (json_get(r, "id") == NULL && test != NULL && prompt != NULL)
		builder_set_body(log->builder, RUN_ID,
		    str_printf(log->arena, "%.*s%s%.*s/%.*s",
			STR_FMT(json_raw(eval)), eval == NULL ? "" : "/",
			STR_FMT(test->text), STR_FMT(prompt->text)));
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

static void
read_result(struct log *log, const struct json *eval, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *response = json_get(r, "response");
	const struct json *output = json_get(response, "output");
	const struct json *label = json_path(r, "provider.label");

	arena_reset(log->scratch);
	log_source(log, r);
	builder_begin_run(b);
	read_id(log, eval, r);
	builder_set(
	    b, RUN_SCENARIO, field_find(r, "testCase.description description"));
	builder_set(b, RUN_AGENT,
	    json_raw(label).n != 0 ? label : field_find(r, "provider.id"));
	builder_model(b, field_find(response, "metadata.model"));
	builder_model(
	    b, json_first(field_find(response, "metadata.modelUsage")));
	builder_meta(b, "conversation", field_find(response, "sessionId"));
	builder_meta(b, "success", json_get(r, "success"));
	builder_meta(b, "score", json_get(r, "score"));
	builder_meta(b, "vars", json_get(r, "vars"));
	builder_meta(b, "finish_reason", field_find(response, "finishReason"));
	read_prompt(log, field_find(r, "prompt.raw"));
	builder_text(b, json_get(output, "content"));
	if (!read_calls(b, response) &&
	    !read_items(log, json_get(response, "raw")))
		builder_no_calls(b);
	builder_text(b, output);
	read_value(b, output);
	read_usage(b, response);
	builder_set(b, RUN_DURATION, json_get(r, "latencyMs"));
	builder_error(b, error_of(r));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *eval = json_get(r, "evalId");

	if (is_result(r))
		read_result(log, eval, r);
	else
		for (json_each(result, results_of(r)))
			read_result(log, eval, result);
}

const struct log_format log_format_promptfoo = {
	.name = "promptfoo",
	.what = "promptfoo: results",
	.score = score,
	.signs = "testCase results",
	.read = read_record,
};
