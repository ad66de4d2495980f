/*
 * Output of Grok's command line: json, one object at the end, without calls;
 * and streaming-json, whose chunks hold the answer, and in later versions calls
 * and counts. Also the messages that Grok keeps of a session
 * (chat_history.jsonl).
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

/* Kept messages, whose type is their role. */
#define KEPT \
	"content type=user|assistant|tool_result !role !message !id " \
	"!session_id"

/* Returns whether r is a record that only those versions print which log
 * calls. */
static bool
logs_calls(const struct json *r)
{
	return (field_is_type(r, "tool_call tool_call_update") &&
		   json_get(r, "toolCallId") != NULL) ||
	    (field_is_type(r, "available_commands") &&
		json_get(r, "tools") != NULL) ||
	    (field_is_type(r, "usage") &&
		json_path(r, "usage.input_tokens") != NULL);
}

static struct usage
counts_of(const struct json *r)
{
	const struct json *counts = json_get(r, "usage");
	struct usage u = { 0 };

	field_usage(&u, counts, .input = "input_tokens",
	    .cache_read = "cache_read_input_tokens",
	    .cache_write = "cache_creation_input_tokens",
	    .output = "output_tokens", .reasoning = "reasoning_tokens");
	usage_read(&u, USAGE_COST, json_get(r, "total_cost_usd"));
	return u;
}

/* Reads the end of the output, which may be an error; an error has no
 * stopReason. */
static void
read_end(struct builder *b, const struct json *r)
{
	const struct json *why = json_get(r, "stopReason");
	const struct json *models = json_get(r, "modelUsage");
	const struct json *text = json_get(r, "text");
	struct usage u = counts_of(r);

	builder_text(b, text);
	if (json_is(text, JSON_STRING) && json_raw(text).n == 0)
		builder_set(b, RUN_FINAL, text); /* the model said nothing */
	if (u.known != 0)
		builder_total(b, &u);
	for (json_members(model, models))
		if (json_count(models) == 1)
			builder_model(b, builder_str(b, json_raw(model)));
	builder_set(b, RUN_ID, field_find(r, "sessionId session_id"));
	if (field_is_type(r, "error"))
		builder_error(b, json_get(r, "message"));
	else if (field_is(r, "stopReason",
		     "cancelled Cancelled max_turn_requests MaxTurnRequests"))
		builder_error(b, why);
	builder_stop_reason(b, why);
}

static void
read_call(struct builder *b, const struct json *r)
{
	const struct json *content = json_get(r, "content");
	const struct json *raw = json_get(r, "rawOutput");
	const struct json *code = json_get(raw, "exit_code");

	if (field_is_type(r, "tool_call"))
		builder_call(b, .id = json_get(r, "toolCallId"),
		    .tool = field_find(r, "toolName title"),
		    .args = json_get(r, "rawInput"));
	if (field_is(r, "status", "completed failed"))
		builder_result(b, .id = json_get(r, "toolCallId"),
		    .value = json_first(content) != NULL ? content : raw,
		    .is_error = builder_bool(field_is(r, "status", "failed") ||
			(json_is(code, JSON_NUMBER) &&
			    json_double(code) != 0)));
}

struct printed {
	bool calls; /* the run logs calls */
};

static void
read_printed(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct printed *s = log->state;
	struct usage u = counts_of(r);

	s->calls |= logs_calls(r);
	if (s->calls)
		builder_records_calls(b);
	else
		builder_no_calls(b);
	builder_no_prompt(b);
	if (field_is_type(r, "text"))
		builder_append_text(b, json_get(r, "data"));
	else if (field_is_type(r, "tool_call tool_call_update"))
		read_call(b, r);
	else if (field_is_type(r, "usage"))
		builder_usage(b, json_raw(json_get(r, "messageId")), &u, false);
	else if (field_is_type(r, "error"))
		read_end(b, r);
	else if (json_get(r, "stopReason") != NULL) {
		read_end(b, r);
		builder_end_run(b);
		s->calls = false;
	}
}

/* ---- kept messages ---- */

static void
read_prompt(struct builder *b, const struct json *content)
{
	const struct str open = STR("<user_query>");
	const struct str close = STR("</user_query>");

	if (json_is(content, JSON_STRING))
		builder_prompt_body(
		    b, log_between_marks(json_raw(content), open, close));
	for (json_each(block, content)) {
		const struct json *text = json_get(block, "text");

		if (json_is(text, JSON_STRING))
			builder_prompt_body(
			    b, log_between_marks(json_raw(text), open, close));
	}
}

/* Reads a message in the user's place. Words of the program have a
 * synthetic_reason, but so have the user's words that interrupt the model. */
static void
read_user(struct builder *b, const struct json *m)
{
	if (field_find(m, "synthetic_reason") == NULL ||
	    field_is(m, "synthetic_reason", "interjection"))
		read_prompt(b, json_get(m, "content"));
	builder_meta(b, "interrupted", json_get(m, "prior_turn_interrupt"));
}

/* Reads a call that the service itself ran. */
static void
read_backend_call(struct log *log, const struct json *call)
{
	struct builder *b = log->builder;
	const struct json *action = field_find(call, "action");

	builder_call(b, .id = json_get(call, "id"),
	    .tool = json_get(call, "tool_type"),
	    .args = action != NULL ? action : call);
	if (field_is(call, "status", "completed failed"))
		builder_result(b, .id = json_get(call, "id"),
		    .value = field_find(call, "action.sources outputs"),
		    .is_error =
			builder_bool(field_is(call, "status", "failed")));
}

static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *content = json_get(m, "content");

	if (field_is_type(m, "tool_result")) {
		builder_result(
		    b, .id = json_get(m, "tool_call_id"), .value = content);
	} else if (field_is_type(m, "user")) {
		read_user(b, m);
	} else {
		builder_model(b, json_get(m, "model_id"));
		builder_message(b);
		builder_text(b, content);
		for (json_each(call, json_get(m, "tool_calls")))
			openai_call_read(b, call);
		builder_llm_call(b, (struct str){ 0 });
	}
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_LOCATE),
	LOG_ROW("type=system", LOG_BEGIN), /* the first record of a file */
	LOG_ROW("type=system", LOG_SYSTEM, .of = "content"),
	LOG_ROW(KEPT, LOG_HOOK, .read = read_message),
	LOG_ROW("type=backend_tool_call", LOG_HOOK, .of = "kind",
	    .read = read_backend_call),
	LOG_ROW("type=reasoning|available_commands", LOG_NOTHING),
	LOG_ROW("type=tool_call_update !status=completed|failed", LOG_NOTHING),
	LOG_ROW("type=text|thought|tool_call|tool_call_update|usage|error|end",
	    LOG_HOOK, .read = read_printed),
	LOG_ROW("stopReason !type", LOG_HOOK, .read = read_printed),
	LOG_LAST,
};

const struct log_format log_format_grok = {
	.name = "grok",
	.what = "Grok CLI: JSON output, chat_history.jsonl of sessions",
	.sure = "type=tool_call|tool_call_update toolCallId, "
		"type=available_commands tools, "
		"type=usage usage.input_tokens, " KEPT
		" tool_call_id|tool_calls.0.name, stopReason=\" text=\", "
		"stopReason=\" type=end",
	.hint = "20 " KEPT ", 50 type=text|thought data=\"",
	.rows = rows,
	.state = sizeof(struct printed),
};
