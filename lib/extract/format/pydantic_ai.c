/*
 * Pydantic AI: the messages of a run as the library writes them to JSON, in a
 * list, under a name, or one a line. Prompts and results of tools are parts of
 * requests; a model's texts and calls are parts of responses.
 */
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/format/unread.h"

static bool
is_message(const struct json *m)
{
	return field_is(json_first(json_get(m, "parts")), "part_kind",
		   "system-prompt user-prompt tool-return retry-prompt text "
		   "thinking tool-call builtin-tool-call builtin-tool-return "
		   "compaction file") ||
	    (field_is(m, "kind", "request response") &&
		json_is(json_get(m, "parts"), JSON_ARRAY));
}

static const struct json *
messages_of(const struct json *r)
{
	const struct json *list = json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(
		  r, "messages all_messages message_history new_messages");

	return is_message(json_at(list, 0)) ? list : NULL;
}

/* ---- requests ---- */

static void
read_prompt(struct log *log, const struct json *content)
{
	struct builder *b = log->builder;

	builder_prompt(b, content);
	for (json_each(one, content)) {
		if (json_is(one, JSON_STRING))
			builder_prompt(b, one);
		else if (field_is(one, "kind", "text text-content"))
			builder_prompt(b, json_get(one, "content"));
	}
}

#define RETURN \
	LOG_RESULT, .id = "tool_call_id", .tool = "tool_name", \
		    .result = "content"

/* Parts of requests, but for prompts. A request to try again says that a call
 * failed, or that an answer was invalid; the latter is no new prompt. */
static const struct log_row parts[] = {
	LOG_ROW("timestamp", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("part_kind=*tool-return", RETURN,
	    .failed = "outcome=failed|denied"),
	LOG_ROW(
	    "part_kind=retry-prompt tool_name", RETURN, .failed = "tool_name"),
	LOG_ROW("part_kind=retry-prompt !tool_name", LOG_NOTHING),
	LOG_ROW("part_kind=system-prompt", LOG_SYSTEM, .of = "content"),
	LOG_ROW("part_kind=user-prompt", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row prompts[] = {
	LOG_ROW("", LOG_HOOK, .of = "content", .read = read_prompt),
	LOG_LAST,
};

/* Reads the parts of a request. Content that a tool gave the model to see follows
 * the tool's return in the form of a user's words, which are then no prompt. */
static void
read_parts(struct log *log, const struct json *list)
{
	bool returned = false, prompted = false;

	for (json_each(part, list)) {
		const struct json *ts = field_find(part, "timestamp");

		if (!returned && field_is(part, "part_kind", "user-prompt")) {
			if (ts != NULL && !prompted)
				builder_locate(log->builder, .ts = ts);
			log_read_part(log, prompts, part);
			prompted = true;
			continue;
		}
		log_read_part(log, parts, part);
		returned |= log_rows_holds("part_kind=*tool-return", part);
	}
}

/* ---- responses ---- */

/* Reads the counts, where 0 is unknown. Older versions name them by requests
 * and responses. The input count includes cached tokens. */
static void
read_usage(struct log *log, const struct json *counts)
{
	const struct json *in =
	    field_find(counts, "input_tokens request_tokens");
	const struct json *out =
	    field_find(counts, "output_tokens response_tokens");
	struct usage u = { 0 };

	if (json_double(in) > 0 || json_double(out) > 0) {
		field_usage(&u, counts,
		    .cache_read = "cache_read_tokens details.cached_tokens",
		    .cache_write = "cache_write_tokens",
		    .reasoning = "details.reasoning_tokens");
		usage_input_with_cache(&u, in);
		usage_read(&u, USAGE_OUTPUT, out);
	}
	builder_usage(log->builder, (struct str){ 0 }, &u, false);
}

/* Returns whether the tool is that of a structured answer: a model gives such
 * an answer by calling this tool. */
static bool
is_output(const struct json *tool)
{
	return json_str_is(tool, "final_result") ||
	    str_starts(json_raw(tool), "final_result_");
}

/* Reads a call. The call of an MCP server by the model's provider has the
 * tool's name in its arguments, if it is logged; a list of the server's tools
 * is no call. */
static void
read_call(struct log *log, const struct json *part)
{
	struct builder *b = log->builder;
	const struct json *tool = json_get(part, "tool_name");
	const struct json *args = field_find(part, "args");
	const struct json *within = json_get(args, "tool_name");
	struct str server = json_raw(tool);
	bool remote = str_is(str_cut(&server, ':'), "mcp_server");

	builder_call(b, .id = json_get(part, "tool_call_id"),
	    .tool = remote && within != NULL ? within : tool,
	    .server = remote ? builder_str(b, server) : NULL,
	    .args =
		remote && within != NULL ? json_get(args, "tool_args") : args,
	    .decode = true);
	if (!is_output(tool))
		return;
	builder_text(b, args);
	if (json_is(args, JSON_OBJECT))
		builder_text_value(b, args);
}

static void
read_own_return(struct log *log, const struct json *part)
{
	if (builder_has_call(log->builder, json_get(part, "tool_call_id")))
		log_read_part(log, parts, part);
}

static const struct log_row answers[] = {
	LOG_ROW("part_kind=text", LOG_TEXT, .of = "content"),
	LOG_ROW("part_kind=*tool-call tool_name=mcp_server:* "
		"args.action=list_tools",
	    LOG_NOTHING),
	LOG_ROW("part_kind=*tool-call else", LOG_HOOK, .read = read_call),
	LOG_ROW("part_kind=*tool-return", LOG_HOOK, .read = read_own_return),
	LOG_ROW("part_kind=thinking|compaction|file", LOG_NOTHING),
	LOG_LAST,
};

/* ---- records ---- */

static void
note_run(struct log *log, const struct json *id)
{
	builder_set_first(log->builder, RUN_ID, id);
}

#define RESPONSE "kind=response"

static const struct log_row message[] = {
	LOG_ROW("parts", LOG_HOOK, .of = "conversation_id run_id",
	    .read = note_run),
	LOG_ROW("parts", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("instructions", LOG_SYSTEM, .of = "instructions"),
	LOG_ROW(RESPONSE, LOG_MODEL, .of = "model_name"),
	LOG_ROW(RESPONSE " provider_name", LOG_SET, .of = "provider_name",
	    .member = RUN_PROVIDER),
	LOG_ROW(RESPONSE, LOG_MESSAGE),
	LOG_ROW(RESPONSE, LOG_EACH, .of = "parts", .rows = answers),
	LOG_ROW(RESPONSE, LOG_STOP, .of = "finish_reason"),
	LOG_ROW(RESPONSE, LOG_HOOK, .of = "usage", .read = read_usage),
	LOG_ROW(
	    "kind=request, !kind", LOG_HOOK, .of = "parts", .read = read_parts),
	LOG_LAST,
};

/* Reads a list of messages. All messages of a conversation repeat those of the
 * run before. */
static void
read_list(struct log *log, const struct json *r, const struct json *list)
{
	struct resent_history history =
	    resent_history_emitted(log->builder, list, NULL);

	if (history.n == 0)
		builder_begin_run(log->builder);
	resent_history_note(log->builder, &history, true);
	builder_set(log->builder, RUN_AGENT,
	    json_is(r, JSON_OBJECT) ? field_find(r, "agent_name agent") : NULL);
	for (json_each(m, list)) {
		if (history.n != 0)
			history.n--;
		else
			log_read_part(log, message, m);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	if (messages_of(r) != NULL)
		read_list(log, r, messages_of(r));
	else if (is_message(r))
		log_read_part(log, message, r);
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			read_record(log, one);
	else
		log_unread(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_pydantic_ai = {
	.name = "pydantic-ai",
	.what = "Pydantic AI: messages of a run",
	.sure = "parts.0.part_kind=system-prompt|user-prompt|tool-return|"
		"retry-prompt|text|thinking|tool-call|builtin-tool-call|"
		"builtin-tool-return|compaction|file, "
		"parts=[ kind=request|response",
	.nested = "0 messages.0 all_messages.0 message_history.0 "
		  "new_messages.0",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
};
