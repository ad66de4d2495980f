/*
 * Pydantic AI: the messages of a run as the library writes them to JSON, in a
 * list, under a name, or one a line. Prompts and results of tools are parts of
 * requests; a model's texts and calls are parts of responses.
 */
#include "extract/format/log_format.h"
#include "extract/format/resent_history.h"

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

static int
score(const struct json *r)
{
	return is_message(r) || messages_of(r) != NULL ? LOG_FORMAT_SURE : 0;
}

/* Returns whether the part is of this kind, by the end of its kind's name:
 * builtin-tool-call is a tool-call. */
static bool
is_kind(const struct json *part, const char *kind)
{
	return str_ends(json_raw(json_get(part, "part_kind")), str_of(kind));
}

/* ---- requests ---- */

static void
read_prompt(struct builder *b, const struct json *content)
{
	builder_prompt(b, content);
	for (json_each(one, content)) {
		if (json_is(one, JSON_STRING))
			builder_prompt(b, one);
		else if (field_is(one, "kind", "text text-content"))
			builder_prompt(b, json_get(one, "content"));
	}
}

/* Reads a request to try again: a call failed, or an answer was invalid; the
 * latter is no new prompt. */
static void
read_retry(struct builder *b, const struct json *part)
{
	if (field_find(part, "tool_name") != NULL)
		builder_result(b, .id = json_get(part, "tool_call_id"),
		    .tool = json_get(part, "tool_name"),
		    .value = json_get(part, "content"),
		    .is_error = builder_bool(true));
}

static void
read_return(struct builder *b, const struct json *part)
{
	builder_result(b, .id = json_get(part, "tool_call_id"),
	    .tool = json_get(part, "tool_name"),
	    .value = json_get(part, "content"),
	    .is_error =
		builder_bool(field_is(part, "outcome", "failed denied")));
}

/* Reads a request. Content that a tool gave the model to see follows the tool's
 * return in the form of a user's words, which are then no prompt. */
static void
read_request(struct builder *b, const struct json *m)
{
	bool returned = false, prompted = false;

	builder_locate(b, .ts = json_get(m, "timestamp"));
	for (json_each(part, json_get(m, "parts"))) {
		const struct json *ts = field_find(part, "timestamp");

		if (is_kind(part, "user-prompt") && !returned) {
			if (ts != NULL && !prompted)
				builder_locate(b, .ts = ts);
			read_prompt(b, json_get(part, "content"));
			prompted = true;
			continue;
		}
		if (ts != NULL)
			builder_locate(b, .ts = ts);
		if (is_kind(part, "tool-return"))
			read_return(b, part);
		else if (is_kind(part, "retry-prompt"))
			read_retry(b, part);
		returned |= is_kind(part, "tool-return");
	}
}

/* ---- responses ---- */

/* Reads the counts, where 0 is unknown. Older versions name them by requests
 * and responses. The input count includes cached tokens. */
static void
read_usage(struct builder *b, const struct json *m)
{
	const struct json *counts = json_get(m, "usage");
	const struct json *in =
	    field_find(counts, "input_tokens request_tokens");
	const struct json *out =
	    field_find(counts, "output_tokens response_tokens");
	struct usage u = { 0 };

	if (json_double(in) > 0 || json_double(out) > 0) {
		usage_read(&u, USAGE_CACHE_READ,
		    field_find(
			counts, "cache_read_tokens details.cached_tokens"));
		usage_read(&u, USAGE_CACHE_WRITE,
		    field_find(counts, "cache_write_tokens"));
		usage_input_with_cache(&u, in);
		usage_read(&u, USAGE_OUTPUT, out);
		usage_read(&u, USAGE_REASONING,
		    field_find(counts, "details.reasoning_tokens"));
	}
	builder_usage(b, (struct str){ 0 }, &u, false);
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
read_call(struct builder *b, const struct json *part)
{
	const struct json *tool = json_get(part, "tool_name");
	const struct json *args = field_find(part, "args");
	const struct json *within = json_get(args, "tool_name");
	struct str server = json_raw(tool);
	bool remote = str_is(str_cut(&server, ':'), "mcp_server");

	if (remote && field_is(args, "action", "list_tools"))
		return;
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
read_response(struct builder *b, const struct json *m)
{
	builder_locate(b, .ts = json_get(m, "timestamp"));
	builder_model(b, json_get(m, "model_name"));
	if (field_find(m, "provider_name") != NULL)
		builder_set(b, RUN_PROVIDER, json_get(m, "provider_name"));
	for (json_each(part, json_get(m, "parts"))) {
		if (field_is(part, "part_kind", "text"))
			builder_text(b, json_get(part, "content"));
		else if (is_kind(part, "tool-call"))
			read_call(b, part);
		else if (is_kind(part, "tool-return") &&
		    builder_has_call(b, json_get(part, "tool_call_id")))
			read_return(b, part);
	}
	read_usage(b, m);
}

/* ---- records ---- */

static bool
by_model(const struct json *m)
{
	return field_is(m, "kind", "response");
}

static void
read_message(struct builder *b, const struct json *m)
{
	builder_set_first(b, RUN_ID, field_find(m, "conversation_id run_id"));
	if (by_model(m))
		read_response(b, m);
	else
		read_request(b, m);
}

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
			read_message(log->builder, m);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	if (messages_of(r) != NULL)
		read_list(log, r, messages_of(r));
	else if (is_message(r))
		read_message(log->builder, r);
	else if (json_is(r, JSON_ARRAY))
		for (json_each(one, r))
			read_record(log, one);
}

const struct log_format log_format_pydantic_ai = {
	.name = "pydantic-ai",
	.what = "Pydantic AI: messages of a run",
	.score = score,
	.signs = "parts messages=/parts all_messages message_history "
		 "new_messages",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
