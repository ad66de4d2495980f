/*
 * Session files of OpenAI's Codex (rollout-*.jsonl): a record for each item
 * that the model read or wrote, and for events around these, which say more
 * about some calls. A forked session begins with copies of another session's
 * records.
 */
#include "base/hash.h"
#include "base/timestamp.h"
#include "extract/api/openai_item.h"
#include "extract/format/codex_call.h"
#include "extract/format/log_rows.h"

/* Members of a record, in the order in which they are written. */
enum { TIMESTAMP, TYPE, PAYLOAD, RECORD_TYPE, MEMBERS };

static const struct str members[MEMBERS] = {
	[TIMESTAMP] = STR_CONST("timestamp"),
	[TYPE] = STR_CONST("type"),
	[PAYLOAD] = STR_CONST("payload"),
	[RECORD_TYPE] = STR_CONST("record_type"),
};

/* A record of which it is not known yet whether it is a copy. */
struct codex_kept {
	struct codex_kept *next;
	const struct json *record;
	size_t line;
	int64_t written;
};

struct rollout {
	struct str id;     /* body: id of the session */
	int64_t start;     /* time at which the session began */
	int64_t last;      /* time of the preceding record */
	struct str parent; /* body: id of the session that began this one */
	bool copies;       /* the records are another session's */
	bool dated;        /* ... and have the times at which that wrote them */
	bool of_program;   /* the session is that of an agent of the program */
	bool times;        /* a task says when it was started */
	/* The records after a fork, as long as no task shows which of them are
	 * copies and which the session's own. */
	struct codex_kept *kept, **kept_end;
	bool by_events;     /* prompts are logged as events */
	bool by_item;       /* the last prompt came from an item */
	bool triggers_turn; /* the next message begins a turn */
	struct codex_calls calls;
};

/* ---- sessions, and copies of others ---- */

static int64_t
time_of(const struct json *v, int64_t unknown)
{
	int64_t ms;

	if (json_is(v, JSON_NUMBER) ? timestamp_number(json_double(v), &ms)
				    : timestamp_text(json_raw(v), &ms))
		return ms;
	return unknown;
}

/* Returns whether the record begins a task. */
static bool
is_task(const struct json *const *m)
{
	return field_is_type(m[PAYLOAD], "task_started turn_started") ||
	    json_str_is(m[TYPE], "turn_context");
}

/* Returns when the task was started; 0: neither the task nor its id says. */
static int64_t
start_of(const struct json *task)
{
	return time_of(json_get(task, "started_at"),
	    codex_time_of_id(json_raw(json_get(task, "turn_id"))));
}

/* Returns whether the writing paused before a record that was written then:
 * copies are written at once. */
static bool
is_pause(const struct rollout *s, int64_t written)
{
	return written - s->last >= 1000;
}

/* Records of a child that were written before the session began are copies. Where
 * copies have no such times, they end where the session's first own task starts; if
 * neither the task nor its id has a time, where the writing paused. */
static void
note_copies(struct rollout *s, const struct json *const *m, int64_t written)
{
	if (s->parent.n != 0 && m[TIMESTAMP] != NULL && written < s->start) {
		s->copies = s->dated = true;
	} else if (s->dated) {
		s->copies = false;
	} else if (s->copies && is_task(m)) {
		int64_t made = start_of(m[PAYLOAD]);

		/* The time may be in whole seconds. */
		if (made != 0 ? made + 1000 > s->start : is_pause(s, written))
			s->copies = false;
	}
	s->last = written;
}

static const struct json *
parent_of(const struct json *meta)
{
	return field_find(meta,
	    "parent_thread_id source.subagent.thread_spawn.parent_thread_id");
}

static void
read_about(struct builder *b, const struct json *meta)
{
	builder_set(b, RUN_ID, json_get(meta, "id"));
	builder_set(b, RUN_PROVIDER, json_get(meta, "model_provider"));
	builder_meta(b, "cwd", json_get(meta, "cwd"));
	builder_meta(b, "branch", json_path(meta, "git.branch"));
	builder_meta(b, "version", json_get(meta, "cli_version"));
	builder_meta(b, "originator", json_get(meta, "originator"));
	builder_system(b, field_find(meta, "base_instructions instructions"));
	builder_meta(b, "forked_from", json_get(meta, "forked_from_id"));
	builder_meta(b, "parent_thread", parent_of(meta));
	if (json_raw(parent_of(meta)).n != 0)
		builder_sub_agent(b,
		    field_find(meta,
			"agent_role agent_type agent_nickname "
			"source.subagent.thread_spawn.agent_role "
			"source.subagent.thread_spawn.agent_nickname id"));
}

/* Returns whether the session is that of an agent of the program itself, which
 * sums up a session or keeps notes. Such a session is nobody's run. */
static bool
is_of_program(const struct json *meta)
{
	const struct json *source = json_get(meta, "source");

	return field_is(source, "subagent", "compact memory_consolidation") ||
	    field_is(source, "internal", "memory_consolidation");
}

static void
read_session(struct log *log, const struct json *meta, int64_t written)
{
	struct rollout *s = log->state;
	struct str id = json_raw(json_get(meta, "id"));

	s->copies |= id.n != 0 && str_eq(s->parent, id) && !str_eq(s->id, id);
	if (id.n == 0 || (s->copies && s->id.n != 0))
		return; /* cut short, or the other session's */
	if (s->id.n != 0 && !str_eq(s->id, id)) {
		builder_begin_run(log->builder);
		*s = (struct rollout){ .calls.items = true };
	}
	if (!str_eq(s->id, id)) {
		s->id = str_dup(log->arena, id);
		s->start = time_of(json_get(meta, "timestamp"), written);
		s->last = written;
		s->copies = json_raw(json_get(meta, "forked_from_id")).n != 0;
		s->parent = copy_body(log->arena,
		    s->copies ? json_get(meta, "forked_from_id")
			      : parent_of(meta));
		s->of_program = is_of_program(meta);
	}
	if (s->of_program)
		return;
	read_about(log->builder, meta);
}

/* ---- prompts ---- */

/* Returns whether the program itself put this text in a user's place. */
static bool
is_injected(struct str body)
{
	return str_starts(body, "# AGENTS.md") ||
	    (body.n > 1 && body.s[0] == '<' &&
		((body.s[1] >= 'a' && body.s[1] <= 'z') || body.s[1] == 'I'));
}

/* Reads an item in the user's place. The user's words are also logged as
 * events, and then only the events count. In a log without such events, a
 * prompt is any text that the program did not add. */
static void
read_user_item(struct log *log, const struct json *item)
{
	struct rollout *s = log->state;

	if (s->by_events)
		return;
	for (json_each(part, json_get(item, "content"))) {
		struct str body = json_raw(json_get(part, "text"));

		if (body.n == 0 || is_injected(body))
			continue;
		builder_prompt_body(log->builder, body);
		builder_set(log->builder, RUN_FINAL, NULL);
		s->by_item = true;
	}
}

static void
read_user_event(struct log *log, const struct json *message)
{
	struct rollout *s = log->state;

	if (s->by_item)
		builder_replace_prompt(log->builder, message);
	else
		builder_prompt(log->builder, message);
	builder_set(log->builder, RUN_FINAL, NULL);
	s->by_events = true;
	s->by_item = false;
	codex_calls_turn(&s->calls);
}

/* Reads a message from another agent. It is neither a user's word nor this
 * agent's answer, but it may be the task that a turn is begun for. */
static void
read_agent_message(struct log *log, const struct json *content,
    const struct json *triggers_turn)
{
	struct rollout *s = log->state;
	bool encrypted = false;

	for (json_each(part, content))
		encrypted =
		    encrypted || json_get(part, "encrypted_content") != NULL;
	if (!json_is(triggers_turn, JSON_TRUE))
		return;
	builder_input(log->builder);
	builder_set(log->builder, RUN_FINAL, NULL);
	if (!encrypted)
		builder_prompt(log->builder, content);
	codex_calls_turn(&s->calls);
}

/* Returns the message of another agent in an item, or NULL. Some versions keep
 * such a message as an assistant's message that holds JSON. */
static const struct json *
agent_message(struct log *log, const struct json *item)
{
	const struct json *text =
	    json_get(json_at(json_get(item, "content"), 0), "text");
	const struct json *word;

	if (!json_str_is(json_get(item, "role"), "assistant") ||
	    !str_starts(json_raw(text), "{\\\"author\\\":"))
		return NULL;
	word = field_decode(log->arena, text);
	return json_get(word, "trigger_turn") != NULL ? word : NULL;
}

/* Reads the begin of a review, which is a turn that the user began by a
 * command. */
static void
read_review(struct log *log, const struct json *report)
{
	builder_input(log->builder);
	read_user_event(
	    log, field_find(report, "target.instructions user_facing_hint"));
}

/* ---- items and events ---- */

static void
read_item(struct log *log, const struct json *item)
{
	const struct json *type = json_get(item, "type");
	const struct json *word = agent_message(log, item);
	struct rollout *s = log->state;
	struct builder *b = log->builder;

	if (json_str_is(json_get(item, "role"), "user"))
		read_user_item(log, item);
	else if (word != NULL)
		read_agent_message(log, json_get(word, "content"),
		    json_get(word, "trigger_turn"));
	else if (json_str_is(type, "agent_message"))
		read_agent_message(log, json_get(item, "content"),
		    builder_bool(s->triggers_turn));
	else {
		builder_message_by_order(b);
		if (!codex_item_read(b, item, &s->calls))
			openai_item_read(b, item);
	}
	s->triggers_turn = false;
	if (json_str_is(type, "function_call"))
		codex_server_read(b, item);
	if (str_ends(json_raw(type), "message") &&
	    json_str_is(json_get(item, "phase"), "commentary"))
		builder_text_is_interim(b);
	if (json_str_is(type, "custom_tool_call") &&
	    json_str_is(json_get(item, "name"), "exec"))
		s->calls.within =
		    copy_body(log->arena, json_get(item, "call_id"));
	if (str_ends(json_raw(type), "_output"))
		codex_output_read(b, item);
}

static void
read_tokens(struct builder *b, const struct json *info)
{
	const struct json *counts = field_find(info, "total_token_usage");
	bool total = counts != NULL;
	struct usage u;

	if (!total)
		counts = field_find(info, "last_token_usage");
	u = codex_usage(counts);
	if (u.known == 0)
		return;
	if (total && !builder_total_of(b, &u, builder_model_now(b)))
		return; /* repeated */
	if (total)
		u = (struct usage){ 0 };
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* Reads the end of a task. A failed task has its reason here, or in an earlier
 * event, and ends without a message. */
static void
read_task_end(struct log *log, const struct json *e)
{
	const struct json *why = field_find(e, "error");
	const struct json *answer = field_find(e, "last_agent_message");

	if (why != NULL || answer != NULL)
		builder_error(log->builder, why);
	builder_set(log->builder, RUN_FINAL, answer);
	builder_turn_duration(log->builder, json_get(e, "duration_ms"));
}

/* Events, and items in place of events, that are neither of a call nor of a
 * user. */
static const struct log_row other_events[] = {
	LOG_ROW("type=agent_message|AgentMessage|Reasoning|session_configured|"
		"Plan|HookPrompt|SubAgentActivity|ContextCompaction|"
		"ExitedReviewMode|turn.completed|" CODEX_EVENTS_OF_NOTHING,
	    LOG_NOTHING), /* or nothing that the model's items do not hold */
	LOG_ROW("type=task_started|turn_started", LOG_NO_ERROR),
	LOG_ROW("type=task_complete|turn_complete", LOG_HOOK,
	    .read = read_task_end),
	LOG_ROW("type=turn_aborted", LOG_META, .name = "interrupted",
	    .of = "reason"),
	LOG_ROW("type=turn_aborted", LOG_TURN_MS, .of = "duration_ms"),
	LOG_ROW("type=thread_rolled_back", LOG_REWIND, .of = "num_turns"),
	LOG_ROW("type=error", LOG_ERROR, .of = "message error"),
	LOG_ROW("else", LOG_HOOK, .read = codex_event_unread),
	LOG_LAST,
};

/* Reads an item in place of an event, in files of the mode
 * "paginated". */
static void
read_item_event(struct log *log, const struct json *item)
{
	struct rollout *s = log->state;
	const struct json *type = json_get(item, "type");

	if (json_str_is(type, "UserMessage"))
		read_user_event(log, json_get(item, "content"));
	else if (json_str_is(type, "EnteredReviewMode"))
		read_review(log, item);
	else if (!codex_call_read(log->builder, item, &s->calls))
		log_read_part(log, other_events, item);
}

static void
read_event(struct log *log, const struct json *e)
{
	struct rollout *s = log->state;
	struct builder *b = log->builder;
	const struct json *item = json_get(e, "item");
	const struct json *type = json_get(e, "type");

	if (item != NULL)
		read_item_event(log, item);
	else if (json_str_is(type, "token_count"))
		read_tokens(b, json_get(e, "info"));
	else if (json_str_is(type, "user_message"))
		read_user_event(log, json_get(e, "message"));
	else if (json_str_is(type, "entered_review_mode"))
		read_review(log, e);
	else if (!codex_call_read(b, e, &s->calls))
		log_read_part(log, other_events, e);
}

static void
read_payload(struct log *log, const struct json *const *m)
{
	const struct json *type = m[TYPE], *payload = m[PAYLOAD];
	const struct json *triggers_turn = json_get(payload, "trigger_turn");
	struct rollout *s = log->state;

	if (json_str_is(type, "response_item"))
		read_item(log, payload);
	else if (json_str_is(type, "event_msg"))
		read_event(log, payload);
	else if (json_str_is(type, "turn_context"))
		builder_model(log->builder, json_get(payload, "model"));
	else if (json_str_is(type, "inter_agent_communication"))
		read_agent_message(
		    log, json_get(payload, "content"), triggers_turn);
	else if (json_str_is(type, "inter_agent_communication_metadata"))
		s->triggers_turn = json_is(triggers_turn, JSON_TRUE);
}

/* Reads a record, of which it is known now whether it is a copy. */
static void
read_known(struct log *log, const struct json *r, const struct json *const *m)
{
	struct rollout *s = log->state;

	builder_locate(log->builder, .ts = m[TIMESTAMP], .replay = s->copies);
	if (m[PAYLOAD] == NULL && openai_item_is(r))
		read_item(log, r);
	else
		read_payload(log, m);
}

/* ---- forks without tasks that have a time ---- */

static void
keep(struct log *log, const struct json *r, int64_t written)
{
	struct rollout *s = log->state;
	struct codex_kept *k = arena_new(log->arena, struct codex_kept);

	if (s->kept == NULL)
		s->kept_end = &s->kept;
	k->record = copy_tree(log->arena, r);
	k->line = log->at.line;
	k->written = written;
	*s->kept_end = k;
	s->kept_end = &k->next;
}

/* Reads the records that were kept; those before `own` are copies. */
static void
read_kept(struct log *log, const struct codex_kept *own)
{
	struct rollout *s = log->state;
	const struct codex_kept *k = s->kept;

	s->kept = NULL;
	for (; k != NULL; k = k->next) {
		const struct json *m[MEMBERS];

		if (k == own)
			s->copies = false;
		json_pick(k->record, members, MEMBERS, m);
		builder_source(log->builder, log->path, k->line);
		read_known(log, k->record, m);
	}
}

static bool
begins_turn(const struct json *r)
{
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	return is_task(m) || field_is_type(m[PAYLOAD], "user_message") ||
	    field_is(m[PAYLOAD] != NULL ? m[PAYLOAD] : r, "role", "user");
}

/* Returns the first of the kept records that is the session's own, or NULL. The
 * copies and what the session was asked are written at once, and then the
 * writing pauses for the model: the session's own records begin with the last
 * turn before that pause. */
static const struct codex_kept *
first_own(const struct rollout *s)
{
	const struct codex_kept *turn = NULL, *before = NULL;

	for (const struct codex_kept *k = s->kept; k != NULL; k = k->next) {
		bool begins = begins_turn(k->record);
		bool follows = before != NULL && begins_turn(before->record);

		if (before != NULL && k->written - before->written >= 1000)
			return begins ? k : turn;
		if (begins && !follows)
			turn = k;
		before = k;
	}
	return NULL;
}

static void
end_run(struct log *log)
{
	const struct rollout *s = log->state;

	if (s != NULL && s->kept != NULL)
		read_kept(log, first_own(s));
}

/* ---- a record ---- */

static void
read_record(struct log *log, const struct json *r)
{
	struct rollout *s = log->state;
	const struct json *m[MEMBERS];
	int64_t written;
	bool begun;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct rollout);
		s->calls.items = true;
	}
	json_pick(r, members, MEMBERS, m);
	if (m[RECORD_TYPE] != NULL)
		return;
	written = time_of(m[TIMESTAMP], s->last);
	begun = s->copies;
	note_copies(s, m, written);
	if (m[TYPE] == NULL || json_str_is(m[TYPE], "session_meta"))
		read_session(log, m[PAYLOAD] != NULL ? m[PAYLOAD] : r, written);
	if (s->of_program)
		return;
	s->times |= is_task(m) && start_of(m[PAYLOAD]) != 0;
	if (begun && s->copies && !s->times && !s->dated) {
		keep(log, r, written);
		return;
	}
	if (s->kept != NULL) {
		bool copies = s->copies;

		s->copies = true;
		read_kept(log, NULL);
		s->copies = copies;
		builder_source(log->builder, log->path, log->at.line);
	}
	read_known(log, r, m);
}

/* A record without a payload is an item of older versions. */
static const struct log_row rows[] = {
	LOG_ROW("type=response_item|event_msg|turn_context|session_meta|"
		"inter_agent_communication|inter_agent_communication_metadata",
	    LOG_HOOK),
	LOG_ROW("type=compacted|world_state|token_usage_record", LOG_NOTHING),
	LOG_ROW("type=message|reasoning|*_call|*_call_output|*_call_result "
		"!payload",
	    LOG_HOOK),
	LOG_ROW("!type id timestamp, record_type=state", LOG_HOOK),
	LOG_LAST,
};

const struct log_format log_format_codex = {
	.name = "codex",
	.what = "Codex: rollout files, including forked sessions",
	.shared_session = "payload.id",
	.sure = "record_type=state, "
		"payload={ type=session_meta|turn_context|response_item|"
		"event_msg|compacted|world_state, "
		"instructions=? id timestamp !type",
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.end_run = end_run,
	/* Some versions give searches no ids. */
	.unidentified = UNIDENTIFIED_IN_ORDER,
};
