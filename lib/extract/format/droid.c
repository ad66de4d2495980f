/*
 * Factory's Droid: files of sessions, a line {"type": "session_start"} and then
 * {"type": "message", "message"} with Anthropic's messages; and the output of
 * droid exec as stream-json (system, message, tool_call, tool_result,
 * completion).
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/log_format.h"

/* Members of a record, in the order in which they are written. */
enum { TYPE, TIMESTAMP, MESSAGE, SESSION, VISIBILITY, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[MESSAGE] = STR_CONST("message"),
	[SESSION] = STR_CONST("session_id"),
	[VISIBILITY] = STR_CONST("visibility"),
};

/* Returns whether r is the first event of an output. The streams of Claude and
 * Cursor begin with more members. */
static bool
is_init(const struct json *r)
{
	return field_is_type(r, "system") &&
	    json_get(r, "session_id") != NULL && json_get(r, "model") != NULL &&
	    field_find(r, "uuid mcp_servers apiKeySource permissionMode") ==
	    NULL;
}

static bool
is_printed(const struct json *r)
{
	return json_get(r, "session_id") != NULL &&
	    ((field_is_type(r, "message") &&
		 json_is(json_get(r, "text"), JSON_STRING)) ||
		(field_is_type(r, "tool_call") &&
		    json_get(r, "toolName") != NULL) ||
		(field_is_type(r, "completion") &&
		    json_get(r, "finalText") != NULL));
}

static int
score(const struct json *r)
{
	if (field_is_type(r, "session_start") && json_get(r, "id") != NULL)
		return LOG_FORMAT_SURE;
	return is_init(r) || is_printed(r) ? LOG_FORMAT_SURE : 0;
}

/* ---- files of sessions ---- */

static void
read_start(struct builder *b, const struct json *r)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_meta(b, "title", field_find(r, "sessionTitle title"));
	builder_meta(b, "cwd", json_get(r, "cwd"));
	builder_meta(b, "version", json_get(r, "version"));
	builder_meta(
	    b, "parent_session", field_find(r, "callingSessionId parent"));
}

static bool
is_result(const struct json *content)
{
	return field_is_type(json_first(content), "tool_result");
}

/* Returns the user's text in a prompt. The program adds texts of its own:
 * reminders before it, files after it. */
static const struct json *
prompt_in(const struct json *content)
{
	for (json_each(block, content)) {
		const struct json *text = json_get(block, "text");

		if (!str_starts(json_raw(text), "<system-reminder>"))
			return text;
	}
	return NULL;
}

/* Returns whether only the model was given the message, or only the user was
 * shown it. */
static bool
is_aside(const struct json *const *m)
{
	const struct json *to = json_get(m[MESSAGE], "visibility");

	if (to == NULL || to->type == JSON_NULL)
		to = m[VISIBILITY];
	return to != NULL && to->type != JSON_NULL && !json_str_is(to, "both");
}

static void
read_outcome(struct builder *b, const struct json *r)
{
	const struct json *reason = json_get(r, "reason");

	builder_error(b, json_str_is(reason, "error") ? reason : NULL);
	if (json_str_is(reason, "cancelled"))
		builder_meta(b, "interrupted", reason);
}

static void
read_message(struct builder *b, const struct json *m)
{
	const struct json *role = json_get(m, "role");
	const struct json *content = json_get(m, "content");

	if (json_str_is(role, "user") && json_is(content, JSON_ARRAY) &&
	    !is_result(content)) {
		builder_prompt(b, prompt_in(content));
		return;
	}
	anthropic_content_read(b, role, content);
	if (json_str_is(role, "assistant")) {
		builder_model(b, json_get(m, "modelId"));
		builder_llm_call(b, (struct str){ 0 });
	}
}

/* ---- what is printed ---- */

struct printed {
	bool ended; /* the session has ended; it may continue */
};

static const struct json *
call_id(const struct json *r)
{
	return field_find(r, "toolCallId id");
}

static void
read_result(struct builder *b, const struct json *r)
{
	const struct json *error = json_get(r, "error");

	builder_result(b, .id = call_id(r),
	    .value = error != NULL ? error : json_get(r, "value"),
	    .is_error =
		error != NULL ? builder_bool(true) : json_get(r, "isError"));
}

static void
read_completion(struct log *log, const struct json *r)
{
	struct printed *s = log->state;
	struct builder *b = log->builder;
	const struct json *counts = json_get(r, "usage");
	const struct json *text = json_get(r, "finalText");
	bool failed = json_is(json_get(r, "isError"), JSON_TRUE);
	struct usage u = { 0 };

	anthropic_usage_read(&u, counts);
	usage_read(&u, USAGE_REASONING, json_get(counts, "thinking_tokens"));
	builder_total(b, &u);
	builder_set(b, RUN_FINAL, failed ? NULL : text);
	builder_error(b, failed ? text : NULL);
	builder_set(
	    b, RUN_DURATION, s->ended ? NULL : json_get(r, "durationMs"));
	s->ended = true;
	builder_meta(b, "num_turns", json_get(r, "numTurns"));
}

/* Reads an assistant's text: an error before it did not end the run. */
static void
read_said(struct builder *b, const struct json *text)
{
	builder_error(b, NULL);
	builder_text(b, text);
}

/* Makes the record's session the current one. */
static void
find_session(struct log *log, const struct json *id)
{
	if (log->state == NULL)
		log->state = arena_new(log->arena, struct printed);
	if (!str_eq(log->id, json_raw(id)))
		*(struct printed *)log->state = (struct printed){ 0 };
	log_run(log, id);
}

static void
read_printed(struct log *log, const struct json *r, const struct json *const *m)
{
	const struct json *type = m[TYPE];
	const struct printed *s = log->state;
	struct builder *b = log->builder;

	if (s->ended && field_is_type(r, "message tool_call"))
		builder_reopen(b);
	if (json_str_is(type, "system")) {
		builder_model(b, json_get(r, "model"));
		builder_meta(b, "cwd", json_get(r, "cwd"));
	} else if (json_str_is(type, "message")) {
		const struct json *role = json_get(r, "role");

		if (json_str_is(role, "user"))
			builder_prompt(b, json_get(r, "text"));
		else if (json_str_is(role, "assistant"))
			read_said(b, json_get(r, "text"));
	} else if (json_str_is(type, "tool_call")) {
		builder_call(b, .id = call_id(r),
		    .tool = json_get(r, "toolName"),
		    .args = json_get(r, "parameters"));
	} else if (json_str_is(type, "tool_result")) {
		read_result(b, r);
	} else if (json_str_is(type, "completion")) {
		read_completion(log, r);
	} else if (json_str_is(type, "error")) {
		builder_error(b, field_find(r, "message error"));
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	if (m[SESSION] != NULL)
		find_session(log, m[SESSION]);
	builder_locate(b, .ts = m[TIMESTAMP]);
	if (json_str_is(m[TYPE], "session_start"))
		read_start(b, r);
	else if (m[SESSION] != NULL)
		read_printed(log, r, m);
	else if (json_str_is(m[TYPE], "message") && !is_aside(m))
		read_message(b, m[MESSAGE]);
	else if (json_str_is(m[TYPE], "agent_turn_outcome"))
		read_outcome(b, r);
}

const struct log_format log_format_droid = {
	.name = "droid",
	.what = "Factory Droid: session files, output of droid exec",
	.score = score,
	.signs = "type=session_start type=system type=message type=tool_call "
		 "type=completion",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
