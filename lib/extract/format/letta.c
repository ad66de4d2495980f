/*
 * Agents of Letta: the messages that its API gives {"message_type", "id",
 * "date"}, one a line, in a list, or in a response with "messages" and "usage";
 * and its agent files (*.af), whose agents have messages of another shape. The
 * format is C because a response is a run, but messages one a line are one run
 * together. The names are those of letta/schemas/letta_message.py and
 * agent_file.py.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

struct state {
	struct str message; /* id of the text that more may follow */
};

/* ---- messages of the API ---- */

/* Reads a call. What is streamed has its arguments in pieces. */
static void
read_call(struct builder *b, const struct json *call)
{
	const struct json *id = field_find(call, "tool_call_id");
	const struct json *name = field_find(call, "name");
	const struct json *args = field_find(call, "arguments");

	if (name == NULL || builder_has_call(b, id))
		builder_append_args(b, id, args);
	else
		builder_call(
		    b, .id = id, .tool = name, .args = args, .decode = true);
}

static void
read_calls(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *calls = field_find(m, "tool_calls tool_call");

	if (json_is(calls, JSON_OBJECT))
		read_call(b, calls);
	for (json_each(call, calls))
		read_call(b, call);
}

static void
read_return(struct log *log, const struct json *r)
{
	const struct json *status = json_get(r, "status");

	builder_result(log->builder, .id = json_get(r, "tool_call_id"),
	    .value = field_find(r, "tool_return func_response"),
	    .is_error = status == NULL
		? NULL
		: builder_bool(json_str_is(status, "error")));
}

static void
read_returns(struct log *log, const struct json *m)
{
	const struct json *returns = json_get(m, "tool_returns");

	for (json_each(r, returns))
		read_return(log, r);
	if (json_count(returns) == 0)
		read_return(log, m);
}

/* Answers of the program: the results of its own tools, too. */
static const struct log_row approvals[] = {
	LOG_ROW("tool_return", LOG_HOOK, .read = read_return),
	LOG_ROW("!tool_return", LOG_NOTHING),
	LOG_LAST,
};

/* Reads a text, of which more may follow in a message with the same id. */
static void
read_text(struct log *log, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	struct state *s = log->state;

	if (str_eq(s->message, json_raw(json_get(m, "id"))) &&
	    json_is(content, JSON_STRING))
		builder_append_text(log->builder, content);
	else
		builder_text_blocks(log->builder, content);
	s->message = copy_body(log->arena, json_get(m, "id"));
}

static void
read_usage(struct log *log, const struct json *counts)
{
	struct usage u = { 0 };

	openai_usage_read(&u, counts);
	usage_read(&u, USAGE_LLM_CALLS, json_get(counts, "step_count"));
	if (u.known != 0)
		builder_usage_uncounted(log->builder, &u);
}

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "date", .id = "id"),
	LOG_ROW("message_type=assistant_message|tool_call_message|"
		"approval_request_message",
	    LOG_MESSAGE, .id = "id"),
	LOG_ROW("message_type=user_message", LOG_PROMPT, .of = "content"),
	LOG_ROW("message_type=assistant_message", LOG_HOOK, .read = read_text),
	LOG_ROW("message_type=tool_call_message|approval_request_message",
	    LOG_HOOK, .read = read_calls),
	LOG_ROW(
	    "message_type=tool_return_message", LOG_HOOK, .read = read_returns),
	LOG_ROW("message_type=approval_response_message", LOG_EACH,
	    .of = "approvals", .rows = approvals),
	LOG_ROW("message_type=usage_statistics", LOG_HOOK, .read = read_usage),
	LOG_ROW("message_type=stop_reason stop_reason=*error", LOG_ERROR,
	    .of = "stop_reason"),
	LOG_ROW("message_type=stop_reason !stop_reason=*error", LOG_STOP,
	    .of = "stop_reason"),
	LOG_ROW("message_type=system_message", LOG_SYSTEM, .of = "content"),
	LOG_ROW("message_type=reasoning_message|"
		"hidden_reasoning_message|summary_message|event_message|ping",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_message(struct log *log, const struct json *m)
{
	struct state *s = log->state;

	if (!field_is(m, "message_type", "assistant_message"))
		s->message = (struct str){ 0 };
	log_read_part(log, messages, m);
}

/* Reads a list of messages; the API gives the latest message first, unless it is
 * asked otherwise. */
static void
read_list(struct log *log, const struct json *list)
{
	struct str first = json_raw(json_get(json_first(list), "date"));
	struct str last = json_raw(json_get(json_last(list), "date"));
	const struct json **all = NULL;
	bool latest_first = str_compare(&first, &last) > 0;
	size_t n = 0;

	for (json_each(m, list))
		*arena_push(log->scratch, all, n) = m;
	for (size_t i = 0; i < n; i++)
		read_message(log, all[latest_first ? n - 1 - i : i]);
}

/* ---- agent files ---- */

/* Returns the words of a user in a text of the kind that agents are given:
 * {"type": "user_message", "message": "..."}. Returns NULL for the events of
 * other types, such as a heartbeat, and the text for any other text. */
static const struct json *
words_in(struct builder *b, const struct json *text)
{
	const struct json *event = field_decode(builder_arena(b), text);

	if (!json_is(event, JSON_OBJECT) || !json_has(event, "type"))
		return text;
	return field_is_type(event, "user_message") ? json_get(event, "message")
						    : NULL;
}

static void
read_user(struct log *log, const struct json *content)
{
	struct builder *b = log->builder;

	if (json_is(content, JSON_STRING))
		builder_prompt(b, words_in(b, content));
	for (json_each(block, content))
		builder_prompt(b, words_in(b, json_get(block, "text")));
}

/* Reads a call; what send_message is given is also an answer. */
static void
read_stored_call(struct log *log, const struct json *call)
{
	struct builder *b = log->builder;
	const struct json *function = json_get(call, "function");
	const struct json *args = json_get(function, "arguments");

	openai_call_read(b, call);
	if (field_is(function, "name", "send_message"))
		builder_text(b,
		    json_get(field_decode(builder_arena(b), args), "message"));
}

static const struct log_row calls[] = {
	LOG_ROW("function", LOG_HOOK, .read = read_stored_call),
	LOG_LAST,
};

#define ANSWER "role=assistant|approval"

static const struct log_row stored[] = {
	LOG_ROW("", LOG_LOCATE, .of = "created_at"),
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content text"),
	LOG_ROW("role=user", LOG_HOOK, .of = "content", .read = read_user),
	LOG_ROW(ANSWER, LOG_MODEL, .of = "model"),
	LOG_ROW(ANSWER, LOG_REQUEST),
	LOG_ROW(ANSWER, LOG_MESSAGE),
	LOG_ROW(ANSWER, LOG_BLOCKS, .of = "content"),
	LOG_ROW(ANSWER, LOG_EACH, .of = "tool_calls", .rows = calls),
	LOG_ROW("role=user|tool|assistant|approval", LOG_HOOK,
	    .each = "tool_returns", .read = read_return),
	LOG_ROW("role=tool !tool_returns.0=?", LOG_RESULT, .id = "tool_call_id",
	    .result = "content"),
	LOG_LAST,
};

/* ---- records ---- */

static const struct log_row agents[] = {
	LOG_ROW("messages=[", LOG_BEGIN, .of = "id"),
	LOG_ROW("messages=[", LOG_SET, .of = "name", .member = RUN_AGENT),
	LOG_ROW("messages=[", LOG_MODEL, .of = "llm_config.model"),
	LOG_ROW("messages=[", LOG_SYSTEM, .of = "system"),
	LOG_ROW("messages=[", LOG_EACH, .of = "messages", .rows = stored,
	    .apart = true),
	LOG_ROW("messages=[", LOG_END),
	LOG_ROW("!messages=[", LOG_NOTHING),
	LOG_LAST,
};

#define RESPONSE "messages=[ !agents"
#define REASON "stop_reason.stop_reason"

static const struct log_row rows[] = {
	LOG_ROW("message_type", LOG_HOOK, .read = read_message),
	LOG_ROW("=[, " RESPONSE, LOG_BEGIN),
	LOG_ROW("=[", LOG_HOOK, .read = read_list),
	LOG_ROW(RESPONSE, LOG_HOOK, .of = "messages", .read = read_list),
	LOG_ROW(RESPONSE, LOG_HOOK, .of = "usage", .read = read_usage),
	LOG_ROW(RESPONSE " " REASON "=*error", LOG_ERROR, .of = REASON),
	LOG_ROW(RESPONSE " !" REASON "=*error", LOG_STOP, .of = REASON),
	LOG_ROW("=[, " RESPONSE, LOG_END),
	LOG_ROW("agents=[", LOG_EACH, .of = "agents", .rows = agents),
	LOG_LAST,
};

const struct log_format log_format_letta = {
	.name = "letta",
	.what = "Letta: messages of its API, agent files",
	.sure = "message_type=user_message|assistant_message|"
		"system_message|reasoning_message|hidden_reasoning_message|"
		"tool_call_message|tool_return_message|"
		"approval_request_message|approval_response_message|"
		"usage_statistics|stop_reason, "
		"agents.0.llm_config agents.0.messages=[",
	.nested = "0 messages.0",
	.rows = rows,
	.state = sizeof(struct state),
	.knows_blocks = true,
};
