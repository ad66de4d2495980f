/*
 * Sessions of Anthropic's Managed Agents: events as the API lists or streams
 * them, one a line or in a list; or pairs of the name of the SDK's method that
 * was called and what it returned.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/log_format.h"

#define CALLED STR("client.beta.sessions.")

static bool
is_event(const struct json *v)
{
	return str_starts(json_raw(json_get(v, "id")), "sevt_") &&
	    json_get(v, "type") != NULL;
}

/* Returns the event in a recorder's record of it {role, kind, time, raw}, or v
 * itself. */
static const struct json *
event_of(const struct json *v)
{
	const struct json *raw = json_get(v, "raw");

	return is_event(raw) ? raw : v;
}

static bool
is_session(const struct json *v)
{
	return field_is_type(v, "session") &&
	    str_starts(json_raw(json_get(v, "id")), "sesn_");
}

static bool
is_pair(const struct json *r)
{
	return json_is(r, JSON_ARRAY) &&
	    str_starts(json_raw(json_at(r, 0)), CALLED);
}

static const struct json *
list_of(const struct json *r)
{
	return json_is(r, JSON_ARRAY) ? r : json_get(r, "data");
}

static int
score(const struct json *r)
{
	return is_pair(r) || is_event(event_of(r)) || is_session(r) ||
		is_event(event_of(json_at(list_of(r), 0)))
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_session(struct log *log, const struct json *session)
{
	struct builder *b = log->builder;

	log_run(log, json_get(session, "id"));
	builder_set(b, RUN_AGENT, json_path(session, "agent.name"));
	builder_model(b, json_path(session, "agent.model.id"));
	builder_meta(b, "title", json_get(session, "title"));
}

static void
read_call(struct builder *b, const struct json *event)
{
	builder_call(b, .id = json_get(event, "id"),
	    .tool = json_get(event, "name"),
	    .server = json_get(event, "mcp_server_name"),
	    .args = json_get(event, "input"));
}

static void
read_result(struct builder *b, const struct json *event)
{
	builder_result(b,
	    .id = field_find(
		event, "tool_use_id mcp_tool_use_id custom_tool_use_id"),
	    .value = json_get(event, "content"),
	    .is_error = json_get(event, "is_error"));
}

static void
read_usage(struct builder *b, const struct json *event)
{
	struct usage u = { 0 };

	anthropic_usage_read(&u, json_get(event, "model_usage"));
	builder_usage(b, json_raw(json_get(event, "id")), &u, false);
}

/* Returns whether the event was read before. Events that were streamed or
 * queued come again when they are listed. */
static bool
is_repeated(struct log *log, const struct json *event)
{
	struct hash_table *seen = log->state;
	bool before;
	void **slot;

	if (seen == NULL) {
		log->state = seen = arena_new(log->arena, struct hash_table);
		seen->arena = log->arena;
	}
	slot = hash_put_copy(seen, json_raw(json_get(event, "id")));
	before = *slot != NULL;
	*slot = seen;
	return before;
}

/* Returns whether the error is final. The API retries after other errors, and
 * may report nothing about that. */
static bool
is_final(const struct json *error)
{
	return !field_is_type(json_get(error, "retry_status"), "retrying");
}

/* Reads an event of the agent, by the rest of the type's name. */
static void
read_agent(struct builder *b, struct str type, const struct json *event)
{
	if (str_is(type, "message"))
		builder_text_blocks(b, json_get(event, "content"));
	else if (str_is(type, "tool_use") || str_is(type, "mcp_tool_use") ||
	    str_is(type, "custom_tool_use"))
		read_call(b, event);
	else if (str_is(type, "tool_result") || str_is(type, "mcp_tool_result"))
		read_result(b, event);
}

static void
read_event(struct log *log, const struct json *event)
{
	struct builder *b = log->builder;
	struct str type = json_raw(json_get(event, "type"));
	const struct json *thread = json_get(event, "session_thread_id");
	bool agents = str_starts(type, "agent.");
	/* A separate thread is that of a sub-agent; its user is an agent. */
	bool side =
	    json_raw(thread).n != 0 && (agents || str_starts(type, "user."));
	const struct json *error;

	if (is_repeated(log, event))
		return;
	builder_locate(b, .ts = json_get(event, "processed_at"),
	    .sidechain = side, .agent = side ? thread : NULL);
	if (agents) {
		read_agent(b, str_from(type, 6), event);
	} else if (str_is(type, "user.message")) {
		builder_prompt(b, json_get(event, "content"));
	} else if (str_is(type, "user.custom_tool_result")) {
		read_result(b, event);
	} else if (str_is(type, "span.model_request_end")) {
		read_usage(b, event);
	} else if (str_is(type, "session.error")) {
		error = json_get(event, "error");
		if (is_final(error))
			builder_error(b, error);
	} else if (str_is(type, "session.status_idle")) {
		builder_meta(
		    b, "stop_reason", json_path(event, "stop_reason.type"));
	}
}

static void
read_value(struct log *log, const struct json *v)
{
	v = event_of(v);
	if (is_event(v))
		read_event(log, v);
	else if (is_session(v))
		read_session(log, v);
	else
		for (json_each(one, list_of(v)))
			read_value(log, one);
}

/* Reads a record. What a program sent is skipped, since it comes back among the
 * events that the program received. */
static void
read_record(struct log *log, const struct json *r)
{
	if (!is_pair(r))
		read_value(log, r);
	else if (!str_ends(json_raw(json_at(r, 0)), ".send"))
		read_value(log, json_at(r, 1));
}

const struct log_format log_format_managed_agents = {
	.name = "managed-agents",
	.what = "Anthropic managed agents: sessions and their events",
	.score = score,
	.signs = "id=sevt_* id=sesn_* raw data [",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
