/*
 * Output of Claude Code with -p: the events of stream-json, one a line; the
 * array of the same events; the lone result of json; and an SDK's dump of both
 * directions. Qwen Code prints the same events.
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/claude.h"
#include "extract/format/log_rows.h"

/* Members of an event, in the order in which they are written. */
enum { TYPE, SUBTYPE, MESSAGE, EVENT, PARENT, SESSION, TIMESTAMP, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[SUBTYPE] = STR_CONST("subtype"),
	[MESSAGE] = STR_CONST("message"),
	[EVENT] = STR_CONST("event"),
	[PARENT] = STR_CONST("parent_tool_use_id"),
	[SESSION] = STR_CONST("session_id"),
	[TIMESTAMP] = STR_CONST("timestamp"),
};

struct stream {
	bool ended;          /* the result of a turn was read */
	bool again;          /* ... and that of an earlier turn */
	bool any_message;    /* some message was read */
	bool streamed;       /* more than a result was printed */
	struct usage before; /* usage of the session's earlier processes */
	struct usage total;  /* usage of its present process */
	struct claude_partials coming; /* messages that are being streamed */
	struct claude_limit limit;
};

/* ---- the run ---- */

/* Notes that an agent speaks. Until the result is read the run is incomplete;
 * what follows a result is the session's next turn. A sub-agent (parent) may
 * continue beside that and after the result. */
static void
note_message(struct log *log, struct str parent, bool by_model)
{
	struct builder *b = log->builder;
	struct stream *s = log->state;

	if (by_model && !s->any_message && !builder_has_prompt(b))
		builder_no_prompt(b);
	s->any_message = true;
	if (parent.n != 0)
		return;
	builder_set_broken(b, true);
	if (s->ended) {
		builder_reopen(b);
		builder_input(b);
		s->ended = false;
	}
}

static void
emit_partial(struct log *log, struct claude_partial *m)
{
	if (!claude_partial_any(m))
		return;
	note_message(log, m->parent, true);
	claude_partial_emit(m, log->builder);
}

static void
emit_all_partial(struct log *log)
{
	struct stream *s = log->state;
	struct claude_partial *m = s == NULL ? NULL : s->coming.first;

	for (; m != NULL && s->coming.n != 0; m = m->next)
		emit_partial(log, m);
}

/* Finds the session's run, since a run is a session; a session that continues after
 * its result is in its next turn. An SDK's messages to the program may precede the
 * session's id. */
static struct stream *
find_run(struct log *log, const struct json *session)
{
	if (!json_str_is(session, "default"))
		log_run(log, session);
	return log->state;
}

static void
read_init(struct builder *b, const struct json *r)
{
	builder_model(b, json_get(r, "model"));
	builder_meta(b, "cwd", json_get(r, "cwd"));
	builder_meta(b, "version", json_get(r, "claude_code_version"));
	builder_meta(b, "mcp_servers", json_get(r, "mcp_servers"));
}

/* ---- messages ---- */

static void
read_assistant(
    struct builder *b, const struct json *r, const struct json *const *m)
{
	const struct json *message = m[MESSAGE];
	const struct json *model = json_get(message, "model");
	const struct json *content = json_get(message, "content");
	const struct json *failed = field_find(r, "error");
	bool own = m[PARENT] == NULL || m[PARENT]->type == JSON_NULL;
	struct usage u = { 0 };

	/* The program speaks in a model's place if a request failed. */
	if (json_str_is(model, "<synthetic>")) {
		if (own && failed != NULL)
			builder_error(b, json_get(json_at(content, 0), "text"));
		return;
	}
	if (own)
		builder_error(b, NULL);
	builder_model(b, model);
	builder_message(b);
	for (json_each(block, content))
		anthropic_block_read(b, block);
	builder_stop_reason(b, json_get(message, "stop_reason"));
	anthropic_usage_read(&u, json_get(message, "usage"));
	builder_usage(b, json_raw(json_get(message, "id")), &u,
	    json_is(json_get(message, "stop_reason"), JSON_NULL));
}

static void
read_user(struct builder *b, const struct json *r, const struct json *message)
{
	claude_user_read(b, json_get(message, "content"),
	    json_get(r, "tool_use_result"),
	    json_is(json_get(r, "isSynthetic"), JSON_TRUE) ||
		claude_user_is_other(b, json_get(r, "origin")));
}

/* ---- the result ---- */

/* Returns the usage of the main agent in this turn. Qwen Code, which prints
 * the same events, has a total there, and its input count includes cached
 * tokens. */
static struct usage
turn_of(const struct json *r)
{
	const struct json *counts = json_get(r, "usage");
	struct usage u = { 0 };

	anthropic_usage_read(&u, counts);
	if (json_get(counts, "total_tokens") != NULL)
		usage_input_with_cache(&u, json_get(counts, "input_tokens"));
	return u;
}

/* Returns the usage of all models; if models are not counted, that of the main
 * agent. */
static struct usage
total_of(const struct json *r, const struct usage *turn)
{
	struct usage all = anthropic_usage_by_model(json_get(r, "modelUsage"));

	if (all.known == 0)
		all = *turn;
	usage_read(&all, USAGE_COST, field_find(r, "total_cost_usd cost_usd"));
	return all;
}

/* Returns the usage of the whole session. A program that is given more prompts
 * continues its counters; a program that resumes a session starts new ones, and
 * then the difference to the result before is less than what the turn used. */
static struct usage
session_total(struct stream *s, const struct json *r, const struct usage *turn)
{
	struct usage now = total_of(r, turn), all;
	bool on = true;

	for (int i = 0; i < USAGE_COUNT; i++)
		if ((turn->known & now.known & s->total.known) >> i & 1 &&
		    now.n[i] - s->total.n[i] < turn->n[i])
			on = false;
	if (!on)
		usage_add(&s->before, &s->total);
	s->total = now;
	all = s->before;
	usage_add(&all, &now);
	return all;
}

/* Reads the duration of a result, which is that of its turn only. */
static void
read_duration(struct log *log, const struct json *ms)
{
	struct stream *s = log->state;

	builder_turn_duration(log->builder, ms);
	builder_set(log->builder, RUN_DURATION, s->again ? NULL : ms);
	s->again = true;
}

/* Returns the reason of the run's failure, or NULL if it did not fail. */
static const struct json *
why_failed(struct log *log, const struct json *r, const struct usage *turn)
{
	const struct stream *s = log->state;
	bool silent = turn->n[USAGE_OUTPUT] == 0; /* or unknown */
	struct str why = claude_failure(&s->limit, log->scratch, r, silent);

	return why.n == 0 ? NULL : builder_str(log->builder, why);
}

/* Reads the final answer. The result may be empty though the model said
 * something; the result of a failed run is the reason of the failure. */
static void
read_answer(struct log *log, const struct json *r)
{
	const struct json *text = json_get(r, "result");
	const struct stream *s = log->state;

	if (!json_is(text, JSON_STRING) || !claude_answered(r) ||
	    (s->any_message && json_raw(text).n == 0))
		text = NULL;
	builder_set(log->builder, RUN_FINAL, text);
}

static void
read_result(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct stream *s = log->state;
	struct usage turn = turn_of(r), total = session_total(s, r, &turn);

	builder_stop_reason(b, json_get(r, "stop_reason"));
	builder_total(b, &total);
	read_duration(log, json_get(r, "duration_ms"));
	builder_set_broken(b, false);
	if (!s->streamed)
		builder_no_calls(b); /* nothing else was printed */
	s->ended = true;
	builder_meta(b, "num_turns", json_get(r, "num_turns"));
	builder_meta(b, "structured_output", json_get(r, "structured_output"));
	builder_meta(
	    b, "permission_denials", json_get(r, "permission_denials"));
	builder_error(b, why_failed(log, r, &turn));
	read_answer(log, r);
}

/* Reads an event of a streamed message. The message itself is printed as well,
 * unless the program is killed. */
static void
read_coming(struct log *log, struct claude_partial *m, const struct json *event)
{
	if (json_str_is(json_get(event, "type"), "message_start"))
		emit_partial(log, m);
	claude_partial_read(m, log->builder, event);
}

static void
read_message(struct log *log, const struct json *r, const struct json *const *m)
{
	bool by_model = json_str_is(m[TYPE], "assistant");
	bool by_user = json_str_is(m[TYPE], "user");
	struct builder *b = log->builder;

	if (by_model || by_user)
		note_message(log, json_raw(m[PARENT]), by_model);
	if (json_str_is(m[SUBTYPE], "init"))
		read_init(b, r);
	else if (by_model)
		read_assistant(b, r, m);
	else if (by_user)
		read_user(b, r, m[MESSAGE]);
	else if (json_str_is(m[TYPE], "result"))
		read_result(log, r);
}

static void
read_event(struct log *log, const struct json *r)
{
	const struct json *m[MEMBERS], *type;
	struct claude_partial *coming;
	struct stream *s;

	json_pick(r, members, MEMBERS, m);
	type = m[TYPE];
	s = find_run(log, m[SESSION]);
	s->streamed |= !json_str_is(type, "result");
	if (json_str_is(type, "rate_limit_event")) {
		claude_limit_read(
		    &s->limit, log->arena, json_get(r, "rate_limit_info"));
		return;
	}
	coming =
	    claude_partial_of(&s->coming, log->builder, json_raw(m[PARENT]));
	if (json_str_is(type, "stream_event")) {
		read_coming(log, coming, m[EVENT]);
		return;
	}
	if (json_str_is(type, "assistant"))
		claude_partial_drop(coming);
	else if (json_str_is(type, "user"))
		emit_partial(log, coming);
	else if (json_str_is(type, "result"))
		emit_all_partial(log);
	builder_locate(log->builder, .ts = m[TIMESTAMP],
	    .message = json_get(m[MESSAGE], "id"),
	    .parent = json_raw(m[PARENT]));
	read_message(log, r, m);
}

static const struct log_row events[] = {
	LOG_ROW("type=assistant|user|stream_event|system|result|"
		"rate_limit_event",
	    LOG_HOOK, .read = read_event),
	LOG_ROW(
	    "type=control_request|control_response|control_cancel_request|"
	    "keep_alive|tool_progress|auth_status|prompt_suggestion|"
	    "tool_use_summary|streamlined_text|update_environment_variables",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Some recorders wrap each event. */
static const struct log_row wrapped[] = {
	LOG_ROW(
	    "direction message.type", LOG_IN, .of = "message", .rows = events),
	LOG_ROW("else", LOG_IN, .of = "", .rows = events),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("={ messages", LOG_EACH, .of = "messages", .rows = wrapped),
	LOG_ROW("=[", LOG_EACH, .of = "", .rows = wrapped),
	LOG_ROW("else", LOG_IN, .of = "", .rows = wrapped),
	LOG_LAST,
};

const struct log_format log_format_claude_stream = {
	.name = "claude-stream",
	.what = "Claude Code: output of claude -p (stream-json, json, arrays)",
	.shared_session = "session_id sessionId",
	.shared_keys = "session_id",
	.sure = "type=control_request|control_response "
		"request_id|response.request_id, "
		"session_id=\" type=system !sessionId tools, "
		"session_id=\" type=result !sessionId num_turns, "
		"session_id=\" type=assistant|user !sessionId "
		"parent_tool_use_id|message.usage=?, "
		"session_id=\" type=stream_event !sessionId",
	.hint = "25 session_id=\" type=system !sessionId, "
		"20 message.content=[ type=assistant|user !sessionId "
		"!session_id, 20 type=result !sessionId result=\", "
		"20 type=result !sessionId is_error, "
		"20 type=rate_limit_event !sessionId rate_limit_info",
	.nested = "message * messages.* *.message messages.*.message",
	.unflagged = UNFLAGGED_OK,
	.record_id = "uuid type message.id session_id",
	.rows = rows,
	.state = sizeof(struct stream),
	.knows_blocks = true,
	.end_run = emit_all_partial,
};
