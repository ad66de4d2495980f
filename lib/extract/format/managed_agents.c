/*
 * Sessions of Anthropic's Managed Agents: events as the API lists or streams
 * them, one a line or in a list; or pairs of the name of the SDK's method that
 * was called and what it returned.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"

#define CALLED STR("client.beta.sessions.")

static bool
is_pair(const struct json *r)
{
	return json_is(r, JSON_ARRAY) &&
	    str_starts(json_raw(json_at(r, 0)), CALLED);
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

/* Sets the event's time and thread. A separate thread is that of a sub-agent; its
 * user is an agent. */
static void
locate(struct log *log, const struct json *event)
{
	struct str type = json_raw(json_get(event, "type"));
	const struct json *thread = json_get(event, "session_thread_id");
	bool side = json_raw(thread).n != 0 &&
	    (str_starts(type, "agent.") || str_starts(type, "user."));

	builder_locate(log->builder, .ts = json_get(event, "processed_at"),
	    .sidechain = side, .agent = side ? thread : NULL);
}

/* The API retries after errors that are not final, and may report nothing about
 * that. */
static const struct log_row events[] = {
	/* All calls of a message come before their results. */
	LOG_ROW("type=agent.message|agent.tool_use|agent.mcp_tool_use|"
		"agent.custom_tool_use",
	    LOG_MESSAGE_BY_ORDER),
	LOG_ROW("type=agent.message", LOG_BLOCKS, .of = "content"),
	LOG_ROW("type=agent.tool_use|agent.mcp_tool_use|agent.custom_tool_use",
	    LOG_CALL, .id = "id", .tool = "name", .server = "mcp_server_name",
	    .args = "input"),
	LOG_ROW("type=agent.tool_result|agent.mcp_tool_result|"
		"user.custom_tool_result",
	    LOG_RESULT, .id = "tool_use_id mcp_tool_use_id custom_tool_use_id",
	    .result = "content", .is_error = "is_error"),
	LOG_ROW("type=user.message", LOG_PROMPT, .of = "content"),
	LOG_ROW("type=span.model_request_end", LOG_USAGE, .of = "model_usage",
	    .id = "id", .count = anthropic_usage_read),
	LOG_ROW("type=session.error !error.retry_status.type=retrying",
	    LOG_ERROR, .of = "error"),
	LOG_ROW("type=session.status_idle", LOG_META, .of = "stop_reason.type",
	    .name = "stop_reason"),
	LOG_ROW("type=session.error|session.status_running|"
		"session.status_rescheduled|session.status_terminated|"
		"session.deleted|session.updated|session.outcome_evaluated|"
		"session.thread_created|session.thread_idle|"
		"session.thread_status_idle|session.thread_status_running|"
		"session.thread_status_rescheduled|"
		"session.thread_status_terminated|agent.thinking|"
		"agent.thread_context_compacted|agent.thread_message_sent|"
		"agent.thread_message_received|user.interrupt|"
		"user.tool_confirmation|span.model_request_start|"
		"span.outcome_evaluation_start|"
		"span.outcome_evaluation_ongoing|span.outcome_evaluation_end",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_event(struct log *log, const struct json *event)
{
	if (is_repeated(log, event)) {
		log->builder->reported |= BUILDER_NOTHING;
		return;
	}
	locate(log, event);
	log_read_part(log, events, event);
}

#define SESSION "type=session id=sesn_*"

static const struct log_row values[] = {
	LOG_ROW("type id=sevt_*", LOG_HOOK, .read = read_event),
	LOG_ROW("raw.type raw.id=sevt_* else", LOG_HOOK, .of = "raw",
	    .read = read_event),
	LOG_ROW(SESSION, LOG_RUN, .of = "id"),
	LOG_ROW(SESSION, LOG_SET, .of = "agent.name", .member = RUN_AGENT),
	LOG_ROW(SESSION, LOG_SYSTEM, .of = "agent.system"),
	LOG_ROW(SESSION, LOG_MODEL, .of = "agent.model.id"),
	LOG_ROW(SESSION, LOG_META, .of = "title", .name = "title"),
	/* An event in pieces comes as a whole, too. */
	LOG_ROW("type=event_start|event_delta", LOG_NOTHING),
	LOG_ROW("=[ else", LOG_EACH, .rows = values, .apart = true),
	LOG_ROW("data=[ else", LOG_EACH, .of = "data", .rows = values,
	    .apart = true),
	LOG_LAST,
};

/* Reads a record. What a program sent is skipped, since it comes back among the
 * events that the program received. */
static void
read_record(struct log *log, const struct json *r)
{
	if (!is_pair(r))
		log_read_part(log, values, r);
	else if (!str_ends(json_raw(json_at(r, 0)), ".send"))
		log_read_part(log, values, json_at(r, 1));
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_managed_agents = {
	.name = "managed-agents",
	.what = "Anthropic managed agents: sessions and their events",
	.sure = "id=sevt_* type, id=sesn_* type=session, "
		"0=client.beta.sessions.*",
	.nested = "raw 0 0.raw data.0 data.0.raw",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
};
