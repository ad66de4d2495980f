/*
 * MCPLab's trace.jsonl, version 3: a line {"type": "trace_meta", "run_id"}, and
 * one line for each run, {"type": "scenario_run", "scenario_id", "agent",
 * "messages": [{"role", "ts", "content": [BLOCKS]}]}. The blocks are
 * Anthropic's with what MCPLab measured of a call.
 */
#include "emulate/lang/js.h"
#include "extract/format/log_rows.h"

/* MCPLab cuts texts at this number of UTF-16 units and appends three dots. */
enum { TEXT_MAX = 4000, RESULT_MAX = 12000 };

static bool
is_cut(const struct json *text, size_t max)
{
	return str_ends(json_raw(text), "...") &&
	    js_length(json_raw(text)) == max + 3;
}

static void
read_text(struct builder *b, bool by_user, const struct json *text)
{
	if (by_user)
		builder_prompt(b, text);
	else
		builder_text(b, text);
	if (is_cut(text, TEXT_MAX))
		builder_mark_cut(b);
}

enum {
	BLOCK_TYPE,
	BLOCK_TEXT,
	BLOCK_ID,
	BLOCK_INPUT,
	BLOCK_CALL,
	BLOCK_NAME,
	BLOCK_SERVER,
	BLOCK_IS_ERROR,
	BLOCK_DURATION,
	BLOCK_CONTENT,
	BLOCK_START,
	BLOCK_MEMBERS
};

static const struct str block_names[BLOCK_MEMBERS] = {
	[BLOCK_TYPE] = STR_CONST("type"),
	[BLOCK_TEXT] = STR_CONST("text"),
	[BLOCK_ID] = STR_CONST("id"),
	[BLOCK_INPUT] = STR_CONST("input"),
	[BLOCK_CALL] = STR_CONST("tool_use_id"),
	[BLOCK_NAME] = STR_CONST("name"),
	[BLOCK_SERVER] = STR_CONST("server"),
	[BLOCK_IS_ERROR] = STR_CONST("is_error"),
	[BLOCK_DURATION] = STR_CONST("duration_ms"),
	[BLOCK_CONTENT] = STR_CONST("content"),
	[BLOCK_START] = STR_CONST("ts_start"),
};

static void
read_result(struct builder *b, const struct json *const *m)
{
	builder_result(b, .id = m[BLOCK_CALL], .tool = m[BLOCK_NAME],
	    .server = m[BLOCK_SERVER], .value = m[BLOCK_CONTENT],
	    .is_error = m[BLOCK_IS_ERROR], .duration = m[BLOCK_DURATION],
	    .ts_start = m[BLOCK_START]);
	for (json_each(part, m[BLOCK_CONTENT])) {
		const struct json *text = part->text.n > TEXT_MAX
		    ? json_get(part, "text")
		    : NULL; /* too short to be cut */

		if (is_cut(text, TEXT_MAX) || is_cut(text, RESULT_MAX))
			builder_mark_cut(b);
	}
}

static void
read_block(struct builder *b, bool by_user, const struct json *block)
{
	const struct json *m[BLOCK_MEMBERS];

	json_pick(block, block_names, BLOCK_MEMBERS, m);
	if (json_str_is(m[BLOCK_TYPE], "text"))
		read_text(b, by_user, m[BLOCK_TEXT]);
	else if (json_str_is(m[BLOCK_TYPE], "tool_use"))
		builder_call(b, .id = m[BLOCK_ID], .tool = m[BLOCK_NAME],
		    .server = m[BLOCK_SERVER], .args = m[BLOCK_INPUT],
		    .null_too = true);
	else if (json_str_is(m[BLOCK_TYPE], "tool_result"))
		read_result(b, m);
	else
		builder_unread_block(b, json_raw(m[BLOCK_TYPE]));
}

enum {
	MESSAGE_ROLE,
	MESSAGE_TS,
	MESSAGE_USAGE,
	MESSAGE_CONTENT,
	MESSAGE_MEMBERS
};

static const struct str message_names[MESSAGE_MEMBERS] = {
	[MESSAGE_ROLE] = STR_CONST("role"),
	[MESSAGE_TS] = STR_CONST("ts"),
	[MESSAGE_USAGE] = STR_CONST("usage"),
	[MESSAGE_CONTENT] = STR_CONST("content"),
};

static void
read_usage(struct builder *b, const struct json *counts)
{
	static const struct str names[] = { STR_CONST("input_tokens"),
		STR_CONST("output_tokens") };
	const struct json *count[2];
	struct usage usage = { 0 };

	json_pick(counts, names, 2, count);
	usage_read(&usage, USAGE_INPUT, count[0]);
	usage_read(&usage, USAGE_OUTPUT, count[1]);
	builder_usage(b, (struct str){ 0 }, &usage, false);
}

static void
read_message(struct builder *b, const struct json *message)
{
	const struct json *m[MESSAGE_MEMBERS];
	bool by_user, by_model;

	json_pick(message, message_names, MESSAGE_MEMBERS, m);
	by_user = json_str_is(m[MESSAGE_ROLE], "user");
	by_model = json_str_is(m[MESSAGE_ROLE], "assistant");
	builder_locate(b, .ts = m[MESSAGE_TS]);
	if (by_model)
		builder_message(b);
	for (json_each(block, m[MESSAGE_CONTENT]))
		read_block(b, by_user, block);
	if (by_model)
		read_usage(b, m[MESSAGE_USAGE]);
}

/* Returns whether the message is the answer: an assistant's message with text
 * and no calls. A run that ends with anything else (it ran out of turns) has an
 * empty answer. */
static bool
is_answer(const struct json *message)
{
	bool has_text = false;

	if (!json_str_is(json_get(message, "role"), "assistant"))
		return false;
	for (json_each(block, json_get(message, "content"))) {
		if (json_str_is(json_get(block, "type"), "tool_use"))
			return false;
		has_text |= json_raw(json_get(block, "text")).n != 0;
	}
	return has_text;
}

static void
read_messages(struct builder *b, const struct json *messages)
{
	const struct json *last = NULL;

	for (json_each(message, messages)) {
		read_message(b, message);
		last = message;
	}
	if (last == NULL)
		builder_no_calls(b);
	else if (!is_answer(last))
		builder_set_body(b, RUN_FINAL, STR(""));
}

/* Sets the run's id, which is on the file's first line; if that is missing, it
 * is part of "mcplab-run:RUN:SCENARIO:...". */
static void
set_id(struct log *log, const struct json *request_id)
{
	struct str request = json_raw(request_id), rest = request;

	if (log->id.s != NULL) {
		builder_set_body(log->builder, RUN_GROUP, log->id);
	} else if (request.n != 0) {
		if (str_is(str_cut(&rest, ':'), "mcplab-run"))
			request = str_cut(&rest, ':');
		builder_set_body(log->builder, RUN_GROUP, request);
	}
}

enum {
	RECORD_TYPE,
	RECORD_RUN,
	RECORD_INDEX,
	RECORD_SCENARIO,
	RECORD_AGENT,
	RECORD_PROVIDER,
	RECORD_MODEL,
	RECORD_START,
	RECORD_END,
	RECORD_REQUEST,
	RECORD_PASS,
	RECORD_ERROR,
	RECORD_MESSAGES,
	RECORD_MEMBERS
};

static const struct str record_names[RECORD_MEMBERS] = {
	[RECORD_TYPE] = STR_CONST("type"),
	[RECORD_RUN] = STR_CONST("run_id"),
	[RECORD_INDEX] = STR_CONST("run_index"),
	[RECORD_SCENARIO] = STR_CONST("scenario_id"),
	[RECORD_AGENT] = STR_CONST("agent"),
	[RECORD_PROVIDER] = STR_CONST("provider"),
	[RECORD_MODEL] = STR_CONST("model"),
	[RECORD_START] = STR_CONST("ts_start"),
	[RECORD_END] = STR_CONST("ts_end"),
	[RECORD_REQUEST] = STR_CONST("request_id"),
	[RECORD_PASS] = STR_CONST("pass"),
	[RECORD_ERROR] = STR_CONST("error"),
	[RECORD_MESSAGES] = STR_CONST("messages"),
};

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[RECORD_MEMBERS];

	json_pick(r, record_names, RECORD_MEMBERS, m);
	if (json_str_is(m[RECORD_TYPE], "trace_meta"))
		log->id = copy_body(log->arena, m[RECORD_RUN]);
	if (!json_str_is(m[RECORD_TYPE], "scenario_run"))
		return;
	log_whole_run(log, r);
	set_id(log, m[RECORD_REQUEST]);
	builder_set(b, RUN_SCENARIO, m[RECORD_SCENARIO]);
	builder_set(b, RUN_INDEX, m[RECORD_INDEX]);
	builder_set(b, RUN_AGENT, m[RECORD_AGENT]);
	builder_set(b, RUN_PROVIDER, m[RECORD_PROVIDER]);
	builder_error(b, m[RECORD_ERROR]);
	builder_model(b, m[RECORD_MODEL]);
	builder_set_times(b, m[RECORD_START], m[RECORD_END]);
	builder_meta(b, "request_id", m[RECORD_REQUEST]);
	builder_meta(b, "pass", m[RECORD_PASS]);
	read_messages(b, m[RECORD_MESSAGES]);
	builder_end_run(b);
}

/* A run, or the header of a file. */
#define RUN "type=scenario_run messages, type=trace_meta trace_version"

static const struct log_row rows[] = {
	LOG_ROW("type=scenario_run|trace_meta", LOG_HOOK),
	LOG_LAST,
};

static bool
is_alone(const struct json *r)
{
	return log_rows_holds(RUN, r);
}

const struct log_format log_format_mcplab = {
	.name = "mcplab",
	.what = "MCPLab trace.jsonl, version 3",
	.sure = RUN,
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.alone = is_alone,
};
