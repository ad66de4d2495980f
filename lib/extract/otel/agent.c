#include "extract/otel/agent.h"

#include "base/timestamp.h"
#include "extract/api/chat.h"
#include "extract/value/copy.h"

/* An event while it is reported. */
struct event {
	struct arena *arena;
	struct builder *builder;
	struct lookup attributes;
};

static const struct json *
find(const struct event *e, const char *names)
{
	return otel_find_in(&e->attributes, names);
}

/* ---- values, of which any may be logged as text ---- */

static const struct json *
number(const struct event *e, const char *names)
{
	const struct json *v = find(e, names);

	if (json_is(v, JSON_STRING))
		v = copy_parsed(e->arena, json_raw(v));
	return json_is(v, JSON_NUMBER) ? v : NULL;
}

static const struct json *
truth(const struct event *e, const char *names)
{
	const struct json *v = find(e, names);

	return json_str_is(v, "true") ? builder_bool(true)
	    : json_str_is(v, "false") ? builder_bool(false)
				      : v;
}

/* ---- events ---- */

static void
read_start(const struct event *e)
{
	builder_model(e->builder, find(e, "model"));
	builder_set(e->builder, RUN_PROVIDER, find(e, "provider_name"));
}

static void
read_prompt(const struct event *e)
{
	const struct json *prompt = otel_text(find(e, "prompt"));

	if (prompt != NULL)
		builder_prompt(e->builder, prompt);
	else
		builder_input(e->builder);
}

static void
read_answer(const struct event *e)
{
	builder_text(e->builder, otel_text(find(e, "response")));
}

/* Reads the counts of a model call. Codex and Gemini count cached tokens as
 * input, and Gemini counts thoughts apart from the output. */
static void
read_model(const struct event *e)
{
	const struct json *thoughts = number(e, "thoughts_token_count");
	const struct json *kind = find(e, "event.kind");
	struct usage u = { 0 };

	if (kind != NULL && !json_str_is(kind, "response.completed"))
		return; /* a piece of a stream */
	usage_read(&u, USAGE_CACHE_READ,
	    number(e,
		"cache_read_tokens cached_token_count "
		"cached_content_token_count"));
	usage_read(&u, USAGE_CACHE_WRITE, number(e, "cache_creation_tokens"));
	usage_input_with_cache(&u, number(e, "input_token_count"));
	usage_read(&u, USAGE_INPUT, number(e, "input_tokens"));
	usage_read(
	    &u, USAGE_OUTPUT, number(e, "output_tokens output_token_count"));
	if (thoughts != NULL)
		usage_set(&u, USAGE_OUTPUT,
		    u.n[USAGE_OUTPUT] + json_double(thoughts));
	usage_read(&u, USAGE_REASONING,
	    number(e, "thoughts_token_count reasoning_token_count"));
	usage_read(&u, USAGE_COST, number(e, "cost_usd"));
	if (u.known == 0)
		return; /* only reports that there was a request */
	builder_error(e->builder, NULL);
	builder_model(e->builder, find(e, "model"));
	builder_usage(e->builder, json_raw(find(e, "request_id")), &u, false);
}

/* Reads a response of Gemini, which holds the stream's pieces. Only an event
 * with the role `main` holds an answer: the program asks models for other
 * things too. */
static void
read_response(const struct event *e)
{
	const struct json *pieces =
	    chat_value(e->arena, find(e, "response_text"));
	bool more = false;

	read_model(e);
	if (!json_str_is(find(e, "role"), "main"))
		return;
	for (json_each(piece, pieces)) {
		const struct json *first =
		    json_at(json_get(piece, "candidates"), 0);

		for (json_each(part, json_path(first, "content.parts"))) {
			const struct json *text = json_get(part, "text");

			if (json_is(json_get(part, "thought"), JSON_TRUE))
				continue;
			if (more)
				builder_append_text(e->builder, text);
			else
				builder_text(e->builder, text);
			more = more || json_raw(text).n != 0;
		}
	}
}

static void
read_error(const struct event *e)
{
	builder_error(e->builder, find(e, "error error.message error_message"));
}

static const struct json *
call_id(const struct event *e)
{
	return find(e, "tool_use_id call_id");
}

/* Reports a call, which is logged only after it ended. */
static void
read_call(const struct event *e)
{
	const struct json *more =
	    chat_value(e->arena, find(e, "tool_parameters"));
	const struct json *server = find(e, "mcp_server_name mcp_server");

	if (json_raw(call_id(e)).n != 0 &&
	    builder_has_call(e->builder, call_id(e)))
		return;
	builder_call(e->builder, .id = call_id(e),
	    .tool = find(e, "tool_name function_name"),
	    .server =
		server != NULL ? server : otel_find(more, "mcp_server_name"),
	    .name = otel_find(more, "mcp_tool_name"),
	    .args =
		find(e, "tool_input arguments function_args tool_parameters"),
	    .ended = true, .decode = true);
}

static void
read_result(const struct event *e)
{
	read_call(e);
	builder_result(e->builder, .id = call_id(e),
	    .last = json_raw(call_id(e)).n == 0,
	    .value = find(e, "output tool_output error"),
	    .ok = truth(e, "success"), .duration = number(e, "duration_ms"));
}

/* Reports a call that was not allowed, which has no other result. */
static void
read_decision(const struct event *e)
{
	struct str decision = json_raw(find(e, "decision"));

	if (!str_starts(decision, "reject") &&
	    !str_starts(decision, "denied") && !str_starts(decision, "abort"))
		return;
	read_call(e);
	builder_result(e->builder, .id = call_id(e),
	    .last = json_raw(call_id(e)).n == 0,
	    .is_error = builder_bool(true));
}

static const struct kind {
	struct str name;
	void (*read)(const struct event *);
} kinds[] = {
	{ STR_CONST("conversation_starts"), read_start },
	{ STR_CONST("user_prompt"), read_prompt },
	{ STR_CONST("assistant_response"), read_answer },
	{ STR_CONST("api_request"), read_model },
	{ STR_CONST("api_response"), read_response },
	{ STR_CONST("sse_event"), read_model },
	{ STR_CONST("websocket_event"), read_model },
	{ STR_CONST("api_error"), read_error },
	{ STR_CONST("tool_decision"), read_decision },
	{ STR_CONST("tool_result"), read_result },
	{ STR_CONST("tool_call"), read_result },
};

/* Returns the name without the name of the program; absent: of another
 * program. */
static struct str
bare_name(struct str name)
{
	static const struct str programs[] = {
		STR_CONST("claude_code."),
		STR_CONST("codex."),
		STR_CONST("gemini_cli."),
		STR_CONST("qwen-code."),
	};
	size_t i = 0;

	while (!str_starts(name, programs[i]))
		if (++i == sizeof programs / sizeof programs[0])
			return (struct str){ 0 };
	return str_from(name, programs[i].n);
}

static const struct kind *
kind_of(struct str name)
{
	name = bare_name(name);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (str_eq(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

/* Returns whether an event of an unknown name may be a call. */
static bool
may_be_call(struct str name)
{
	return str_contains(name, STR("tool")) &&
	    !str_starts(name, STR("tool_output"));
}

bool
otel_agent_event(struct str name)
{
	return kind_of(name) != NULL || may_be_call(bare_name(name));
}

void
otel_agent_read(struct arena *a, struct builder *b, const struct otel_log *log)
{
	const struct event e = { a, b, lookup_of(log->attributes) };
	char when[TIMESTAMP_SIZE];

	builder_locate(b,
	    .ts = log->time == SPAN_NO_TIME
		? NULL
		: copy_string(a, timestamp_print(log->time / 1000000, when)));
	builder_meta(b, "version", find(&e, "app.version"));
	if (kind_of(log->name) != NULL)
		kind_of(log->name)->read(&e);
	else
		builder_unread_block(e.builder, log->name);
}
