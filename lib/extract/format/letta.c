/*
 * Agents of Letta: the messages that its API gives {"message_type", "id",
 * "date"}, one a line, in a list, or in a response with "messages" and "usage";
 * and its agent files (*.af), whose agents have messages of another shape. The
 * format is C because a response is a run, but messages one a line are one run
 * together. The names are those of letta/schemas/letta_message.py and
 * agent_file.py.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"

struct state {
	struct str message; /* id of the text that more may follow */
};

static bool
is_message(const struct json *m)
{
	return field_is(m, "message_type",
	    "user_message assistant_message system_message "
	    "reasoning_message hidden_reasoning_message tool_call_message "
	    "tool_return_message approval_request_message "
	    "approval_response_message usage_statistics stop_reason");
}

static bool
is_agent(const struct json *agent)
{
	return json_is(json_get(agent, "messages"), JSON_ARRAY) &&
	    json_has(agent, "llm_config");
}

/* Returns the messages of a list or a response, or NULL. */
static const struct json *
messages_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "messages");

	return is_message(json_first(list)) ? list : NULL;
}

static int
score(const struct json *r)
{
	return is_message(r) || messages_of(r) != NULL ||
		is_agent(json_first(json_get(r, "agents")))
	    ? LOG_FORMAT_SURE
	    : 0;
}

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
read_calls(struct builder *b, const struct json *m)
{
	const struct json *calls = field_find(m, "tool_calls tool_call");

	if (json_is(calls, JSON_OBJECT))
		read_call(b, calls);
	for (json_each(call, calls))
		read_call(b, call);
}

static void
read_return(struct builder *b, const struct json *r)
{
	const struct json *status = json_get(r, "status");

	builder_result(b, .id = json_get(r, "tool_call_id"),
	    .value = field_find(r, "tool_return func_response"),
	    .is_error = status == NULL
		? NULL
		: builder_bool(json_str_is(status, "error")));
}

static void
read_returns(struct builder *b, const struct json *m)
{
	const struct json *returns = json_get(m, "tool_returns");

	for (json_each(r, returns))
		read_return(b, r);
	if (json_count(returns) == 0)
		read_return(b, m);
}

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
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	openai_usage_read(&u, counts);
	usage_read(&u, USAGE_LLM_CALLS, json_get(counts, "step_count"));
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
}

static void
read_stop(struct builder *b, const struct json *reason)
{
	if (str_ends(json_raw(reason), "error"))
		builder_error(b, reason);
	else
		builder_stop_reason(b, reason);
}

static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	struct str type = json_raw(json_get(m, "message_type"));
	const struct json *id = json_get(m, "id");
	struct state *s = log->state;

	if (s == NULL)
		log->state = s = arena_new(log->arena, struct state);
	if (!str_is(type, "assistant_message"))
		s->message = (struct str){ 0 };
	builder_locate(b, .ts = json_get(m, "date"), .message = id);
	if (str_is(type, "user_message"))
		builder_prompt(b, json_get(m, "content"));
	else if (str_is(type, "assistant_message"))
		read_text(log, m);
	else if (str_is(type, "tool_call_message") ||
	    str_is(type, "approval_request_message"))
		read_calls(b, m);
	else if (str_is(type, "tool_return_message"))
		read_returns(b, m);
	else if (str_is(type, "usage_statistics"))
		read_usage(b, m);
	else if (str_is(type, "stop_reason"))
		read_stop(b, json_get(m, "stop_reason"));
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
	const struct json *event = field_decode(&b->run_arena, text);

	if (!json_is(event, JSON_OBJECT) || !json_has(event, "type"))
		return text;
	return field_is_type(event, "user_message") ? json_get(event, "message")
						    : NULL;
}

static void
read_user(struct builder *b, const struct json *content)
{
	if (json_is(content, JSON_STRING))
		builder_prompt(b, words_in(b, content));
	for (json_each(block, content))
		builder_prompt(b, words_in(b, json_get(block, "text")));
}

/* Reads a call; what send_message is given is also an answer. */
static void
read_stored_call(struct builder *b, const struct json *call)
{
	const struct json *function = json_get(call, "function");
	const struct json *args = json_get(function, "arguments");

	openai_call_read(b, call);
	if (field_is(function, "name", "send_message"))
		builder_text(
		    b, json_get(field_decode(&b->run_arena, args), "message"));
}

static void
read_stored(struct builder *b, const struct json *m)
{
	builder_locate(b, .ts = json_get(m, "created_at"));
	if (field_is(m, "role", "user")) {
		read_user(b, json_get(m, "content"));
	} else if (field_is(m, "role", "assistant approval")) {
		builder_model(b, json_get(m, "model"));
		builder_llm_call(b, (struct str){ 0 });
		builder_text_blocks(b, json_get(m, "content"));
		for (json_each(call, json_get(m, "tool_calls")))
			read_stored_call(b, call);
	}
	for (json_each(r, json_get(m, "tool_returns")))
		read_return(b, r);
	if (field_is(m, "role", "tool") &&
	    json_count(json_get(m, "tool_returns")) == 0)
		builder_result(b, .id = json_get(m, "tool_call_id"),
		    .value = json_get(m, "content"));
}

static void
read_agent(struct builder *b, const struct json *agent)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(agent, "id"));
	builder_set(b, RUN_AGENT, json_get(agent, "name"));
	builder_model(b, field_find(agent, "llm_config.model"));
	for (json_each(m, json_get(agent, "messages")))
		read_stored(b, m);
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *list = messages_of(r);

	if (is_message(r)) {
		read_message(log, r);
	} else if (list != NULL) {
		builder_begin_run(b);
		read_list(log, list);
		read_usage(b, json_get(r, "usage"));
		read_stop(b, json_path(r, "stop_reason.stop_reason"));
		builder_end_run(b);
	}
	for (json_each(agent, json_get(r, "agents")))
		if (is_agent(agent))
			read_agent(b, agent);
}

const struct log_format log_format_letta = {
	.name = "letta",
	.what = "Letta: messages of its API, agent files",
	.score = score,
	.signs = "message_type messages=/message_type agents",
	.read = read_record,
};
