/*
 * Session files of Claude Code (~/.claude/projects/.../SESSION.jsonl): a tree
 * of records, one a line. The records of sub-agents are among them or in files
 * of their own. The format changes weekly: records of unknown types count only
 * as nodes of the tree.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/claude.h"
#include "extract/format/log_rows.h"
#include "extract/format/log_session.h"

/* ---- members ---- */

struct copied {
	struct copied *next;
	const struct json *record;
	size_t line;
};

struct session {
	struct str root, root_ts; /* uuid and time of the run's first record */
	bool more;                /* a record that is no copy came after it */
	/* Copies of the run's records, from its first one on, that were read just
	 * now; NULL: none. */
	struct copied *copied, **copied_end;
	struct progress *first, *last; /* of the run */
};

/* For a time Claude Code logged the messages of a sub-agent also, or only, in
 * the session's file, each in a record of progress. These messages count only if
 * the sub-agent has no records of its own. */
struct progress {
	struct progress *next;
	const struct json *data, *call; /* as in the record; call may be NULL */
	bool known; /* the sub-agent has records of its own */
};

/* Members of a record: first those that most records have, in the order in
 * which they are written; then others. */
enum {
	PARENT,
	IS_SIDECHAIN,
	USER_TYPE, /* in all records, before or after CWD; not read */
	CWD,
	USER_TYPE_AFTER,
	SESSION,
	PROGRAM,
	BRANCH,
	TYPE,
	MESSAGE,
	REQUEST,
	UUID,
	TIMESTAMP,
	TOOL_RESULT,
	LOGICAL_PARENT,
	AGENT,
	SUBTYPE,
	IS_API_ERROR,
	IS_META,
	IS_SUMMARY,
	IS_TRANSCRIPT,
	ORIGIN,
	FORKED_FROM,
	ATTACHMENT,
	DURATION,
	COST,
	TITLE,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[PARENT] = STR_CONST("parentUuid"),
	[IS_SIDECHAIN] = STR_CONST("isSidechain"),
	[USER_TYPE] = STR_CONST("userType"),
	[CWD] = STR_CONST("cwd"),
	[USER_TYPE_AFTER] = STR_CONST("userType"),
	[SESSION] = STR_CONST("sessionId"),
	[PROGRAM] = STR_CONST("version"),
	[BRANCH] = STR_CONST("gitBranch"),
	[TYPE] = STR_CONST("type"),
	[MESSAGE] = STR_CONST("message"),
	[REQUEST] = STR_CONST("requestId"),
	[UUID] = STR_CONST("uuid"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[TOOL_RESULT] = STR_CONST("toolUseResult"),
	[LOGICAL_PARENT] = STR_CONST("logicalParentUuid"),
	[AGENT] = STR_CONST("agentId"),
	[SUBTYPE] = STR_CONST("subtype"),
	[IS_API_ERROR] = STR_CONST("isApiErrorMessage"),
	[IS_META] = STR_CONST("isMeta"),
	[IS_SUMMARY] = STR_CONST("isCompactSummary"),
	[IS_TRANSCRIPT] = STR_CONST("isVisibleInTranscriptOnly"),
	[ORIGIN] = STR_CONST("origin"),
	[FORKED_FROM] = STR_CONST("forkedFrom"),
	[ATTACHMENT] = STR_CONST("attachment"),
	[DURATION] = STR_CONST("durationMs"),
	[COST] = STR_CONST("costUSD"),
	[TITLE] = STR_CONST("customTitle"),
};

/* Members of a record's message, in the order in which they are written. */
enum {
	ROLE, /* not read, like MESSAGE_TYPE, ROLE_AFTER and STOP_SEQUENCE */
	ID,
	MESSAGE_TYPE,
	ROLE_AFTER,
	MODEL,
	CONTENT,
	STOP_REASON,
	STOP_SEQUENCE,
	USAGE,
	MESSAGE_MEMBERS
};

static const struct str message_members[MESSAGE_MEMBERS] = {
	[ROLE] = STR_CONST("role"),
	[ID] = STR_CONST("id"),
	[MESSAGE_TYPE] = STR_CONST("type"),
	[ROLE_AFTER] = STR_CONST("role"),
	[MODEL] = STR_CONST("model"),
	[CONTENT] = STR_CONST("content"),
	[STOP_REASON] = STR_CONST("stop_reason"),
	[STOP_SEQUENCE] = STR_CONST("stop_sequence"),
	[USAGE] = STR_CONST("usage"),
};

/* A record's members. */
struct record {
	const struct json *m[MEMBERS], *message[MESSAGE_MEMBERS];
	bool side;                /* belongs to a sub-agent */
	const struct json *after; /* the record that it follows; NULL: none */
};

static bool
is_true(const struct json *v)
{
	return json_is(v, JSON_TRUE);
}

static bool
is_null(const struct json *v)
{
	return v == NULL || v->type == JSON_NULL;
}

static struct record
read_members(const struct json *r)
{
	struct record record;

	json_pick(r, members, MEMBERS, record.m);
	/* cppcheck-suppress uninitvar; json_pick sets all */
	json_pick(record.m[MESSAGE], message_members, MESSAGE_MEMBERS,
	    record.message);
	record.side = is_true(record.m[IS_SIDECHAIN]);
	record.after = record.m[LOGICAL_PARENT];
	if (is_null(record.after))
		record.after = record.m[PARENT];
	if (is_null(record.after))
		record.after = NULL;
	return record;
}

/* ---- sessions ---- */

/* Notes the first record of the main agent in the run. */
static void
note_root(struct log *log, const struct record *r)
{
	struct session *s = log->state;

	if (s->root.s != NULL || r->side)
		return;
	s->root = copy_body(log->arena, r->m[UUID]);
	s->root_ts = copy_body(log->arena, r->m[TIMESTAMP]);
}

/* Returns whether the run's first record comes again, perhaps in other words. */
static bool
is_root(const struct session *s, const struct record *r)
{
	return r->after == NULL && !r->side &&
	    str_eq(s->root, json_raw(r->m[UUID])) &&
	    str_eq(s->root_ts, json_raw(r->m[TIMESTAMP]));
}

/* Notes a record that was located. Copies of all records of the run, from its first
 * one on, may be how the file of a resumed session begins. */
static void
note_copy(struct log *log, const struct json *record, const struct record *r)
{
	struct arena *run = builder_arena(log->builder);
	struct session *s = log->state;
	struct copied *c;

	if (!builder_replays(log->builder) || r->m[FORKED_FROM] != NULL) {
		s->copied = NULL;
		return;
	}
	if (r->after == NULL && !r->side) {
		s->copied = NULL;
		s->copied_end = &s->copied;
	} else if (s->copied == NULL) {
		return;
	}
	c = *s->copied_end = arena_new(run, struct copied);
	s->copied_end = &c->next;
	c->record = copy_tree(run, record);
	c->line = log->at.line;
}

/* Reads the title of a session. The file may hold the title before the session's first
 * record: then every session counts. */
static void
read_title(struct log *log, const struct record *r)
{
	struct str id = json_raw(r->m[SESSION]);
	const struct session *s = log->state;

	if (log_session_known(log, id))
		log_session(log, r->m[SESSION], true);
	else if (s->root.s != NULL)
		return;
	builder_meta(log->builder, "title", r->m[TITLE]);
}

/* ---- records ---- */

/* Returns whether an agent of the program itself wrote the record. Only the name
 * of the file may say so. */
static bool
is_of_program(struct log *log, const struct record *r)
{
	if (r->m[AGENT] != NULL)
		return claude_agent_is_helper(json_raw(r->m[AGENT]));
	return r->side && claude_file_of(log)->of_program;
}

static void
read_user(struct builder *b, const struct record *r)
{
	const struct json *content = r->message[CONTENT];

	claude_user_read(b, is_null(content) ? r->m[MESSAGE] : content,
	    r->m[TOOL_RESULT],
	    is_true(r->m[IS_META]) || is_true(r->m[IS_SUMMARY]) ||
		is_true(r->m[IS_TRANSCRIPT]) ||
		claude_user_is_other(b, r->m[ORIGIN]));
}

/* Reads the counts of a message. Each record of a message repeats them, and the
 * later record is the better one. */
static void
read_usage(struct builder *b, const struct record *r)
{
	struct str key = json_raw(r->message[ID]);
	struct usage u = { 0 };

	if (r->m[REQUEST] != NULL)
		key = str_cat(builder_arena(b), key, json_raw(r->m[REQUEST]));
	anthropic_usage_read(&u, r->message[USAGE]);
	usage_read(&u, USAGE_COST, r->m[COST]);
	builder_usage(b, key, &u, json_is(r->message[STOP_REASON], JSON_NULL));
	if (r->m[REQUEST] != NULL && json_raw(r->message[ID]).n != 0)
		builder_usage_once(b, key);
}

static void
read_assistant(struct builder *b, const struct record *r)
{
	const struct json *const *message = r->message;
	bool failed = is_true(r->m[IS_API_ERROR]);

	/* The program's own words, in place of a model's. */
	if (failed && !r->side)
		builder_error(
		    b, json_get(json_first(message[CONTENT]), "text"));
	if (failed || json_str_is(message[MODEL], "<synthetic>"))
		return;
	if (!r->side)
		builder_error(b, NULL);
	builder_model(b, message[MODEL]);
	builder_message(b);
	for (json_each(block, message[CONTENT]))
		anthropic_block_read(b, block);
	builder_stop_reason(b, message[STOP_REASON]);
	read_usage(b, r);
}

/* Reads what a user typed while the agent was busy. */
static void
read_attachment(struct builder *b, const struct json *attachment)
{
	const struct json *mode = json_get(attachment, "commandMode");

	if (json_str_is(json_get(attachment, "type"), "queued_command") &&
	    !is_true(json_get(attachment, "isMeta")) &&
	    !claude_user_is_other(b, json_get(attachment, "origin")) &&
	    (mode == NULL || json_str_is(mode, "prompt")))
		claude_prompt_read(b, json_get(attachment, "prompt"));
}

/* Reads the facts about the session. A sub-agent may have worked in another
 * folder, and for the session that this one continues, so only records of the
 * main agent count. */
static void
read_about(struct log *log, const struct record *r)
{
	const struct session *s = log->state;
	struct builder *b = log->builder;

	if (r->side && s->root.s != NULL)
		return;
	builder_set(b, RUN_ID, r->m[SESSION]);
	builder_meta(b, "cwd", r->m[CWD]);
	builder_meta(b, "branch", r->m[BRANCH]);
	builder_meta(b, "version", r->m[PROGRAM]);
	if (r->m[FORKED_FROM] != NULL)
		builder_meta(
		    b, "forked_from", json_get(r->m[FORKED_FROM], "sessionId"));
}

static void
locate_record(
    struct log *log, const struct record *r, bool by_model, bool again)
{
	builder_locate(log->builder, .ts = r->m[TIMESTAMP],
	    .message = by_model ? r->message[ID] : NULL, .sidechain = r->side,
	    .agent = r->side ? r->m[AGENT] : NULL,
	    .parent = claude_file_of(log)->call,
	    .replay = again || r->m[FORKED_FROM] != NULL, .node = r->m[UUID],
	    .after = r->after, .content = r->m[MESSAGE]);
}

/* ---- resumed sessions ---- */

static void read_found(
    struct log *, const struct json *record, const struct record *, bool again);

/* Begins a session that was resumed, and whose file began with these copies, which
 * count in the session before only. */
static void
begin_resumed(
    struct log *log, const struct json *id, const struct copied *copied)
{
	struct builder *b = log->builder;

	builder_source(b, log->at.file, copied->line);
	/* A call that the session before lacks may be no copy now. */
	if (builder_current_run(b)->lost != 0)
		builder_lacks_from(b, copied->line);
	log_session(log, id, false);
	for (; copied != NULL; copied = copied->next) {
		struct record r = read_members(copied->record);

		builder_source(b, log->at.file, copied->line);
		read_found(log, copied->record, &r, true);
	}
	builder_source(b, log->at.file, log->at.line);
}

/* Returns whether the record comes again, perhaps in other words: the run's first
 * record, or one that follows its copy. */
static bool
is_again(const struct log *log, const struct session *s, const struct record *r)
{
	return is_root(s, r) ||
	    (s->copied != NULL && builder_has_node(log->builder, r->m[UUID]));
}

/* Finds the run of a record of another session. A record that follows none begins a run
 * of a session that is new; other records of such a session do not: a resumed session
 * opens with records of the session before it, which keep their session's id or not.
 * In a file that is named after the session, all records belong to that session. */
static void
find_session(struct log *log, const struct record *r)
{
	const struct session *s = log->state;
	const struct json *id = r->m[SESSION];
	bool again = is_again(log, s, r);
	bool known = log_session_known(log, json_raw(id));
	bool named = claude_file_is_named(log, json_raw(id));

	if (again && s->more && !known && !named)
		return;
	if (s->copied != NULL && !known)
		begin_resumed(log, id, s->copied);
	else
		log_session(log, id,
		    r->side || r->after != NULL || s->root.s == NULL || named ||
			(log_session_has(log, json_raw(id)) && !again));
}

/* ---- messages in records of progress ---- */

static void
note_progress(struct log *log, const struct json *record)
{
	const struct json *data = json_get(record, "data");
	const struct json *call = json_get(record, "parentToolUseID");
	struct arena *run = builder_arena(log->builder);
	struct session *s = log->state;
	struct progress *p;

	if (!field_is_type(data, "agent_progress") ||
	    json_raw(json_get(data, "agentId")).n == 0)
		return;
	p = arena_new(run, struct progress);
	p->data = copy_tree(run, data);
	p->call = call == NULL ? NULL : copy_tree(run, call);
	if (s->last == NULL)
		s->first = p;
	else
		s->last->next = p;
	s->last = p;
}

static void
read_progress(struct builder *b, const struct progress *p)
{
	struct record r = read_members(json_get(p->data, "message"));
	bool by_model = json_str_is(r.m[TYPE], "assistant");

	r.side = true;
	builder_locate(b, .ts = r.m[TIMESTAMP],
	    .message = by_model ? r.message[ID] : NULL, .sidechain = true,
	    .agent = json_get(p->data, "agentId"), .parent = json_raw(p->call),
	    .node = r.m[UUID], .content = r.m[MESSAGE]);
	if (by_model)
		read_assistant(b, &r);
	else if (json_str_is(r.m[TYPE], "user"))
		read_user(b, &r);
}

/* Reads the messages in records of progress, and forgets them. */
static void
emit_progress(struct log *log)
{
	struct builder *b = log->builder;
	struct session *s = log->state;

	for (struct progress *p = s->first; p != NULL; p = p->next)
		p->known = builder_has_agent(b, json_get(p->data, "agentId"));
	for (const struct progress *p = s->first; p != NULL; p = p->next)
		if (!p->known)
			read_progress(b, p);
	s->first = s->last = NULL;
}

/* ---- a record ---- */

static void
read_found(struct log *log, const struct json *record, const struct record *r,
    bool again)
{
	struct builder *b = log->builder;
	const struct json *type = r->m[TYPE];
	bool by_model = json_str_is(type, "assistant");
	struct session *s = log->state;

	s->more |= s->root.s != NULL && !again;
	note_root(log, r);
	locate_record(log, r, by_model, again);
	if (builder_replays(b) || s->copied != NULL)
		note_copy(log, record, r);
	if (again)
		return;
	read_about(log, r);
	if (by_model)
		read_assistant(b, r);
	else if (json_str_is(type, "user"))
		read_user(b, r);
	else if (json_str_is(type, "attachment"))
		read_attachment(b, r->m[ATTACHMENT]);
	else if (json_str_is(type, "progress"))
		note_progress(log, record);
	else if (json_str_is(r->m[SUBTYPE], "turn_duration"))
		builder_turn_duration(b, r->m[DURATION]);
}

static void
read_record(struct log *log, const struct json *record)
{
	const struct record r = read_members(record);
	const struct session *s;
	struct str id;

	if (json_str_is(r.m[TYPE], "custom-title"))
		read_title(log, &r);
	if (r.m[UUID] == NULL || is_of_program(log, &r))
		return;
	id = json_raw(r.m[SESSION]);
	if (id.n != 0 && !str_eq(id, log->id))
		find_session(log, &r);
	s = log->state;
	read_found(log, record, &r,
	    (r.after == NULL || s->copied != NULL) && is_again(log, s, &r));
}

/* Attachments, records of progress and of the system are what the program tells
 * the model or the user. */
static const struct log_row rows[] = {
	LOG_ROW("type=user|assistant|attachment|progress|system|custom-title",
	    LOG_HOOK),
	LOG_ROW("type=queue-operation|summary|file-history-snapshot|"
		"permission-mode|mode|last-prompt|ai-title|agent-name|pr-link|"
		"worktree-state|relocated|bridge-session|frame-link|started|"
		"result|atis-latch|speculation-accept|content-replacement|tag|"
		"agent-color|agent-setting|marble-origami-commit|"
		"marble-origami-snapshot|attribution-snapshot|task-summary|"
		"file-history-delta|cost-state|fork-context-ref",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_claude_code = {
	.name = "claude-code",
	.what = "Claude Code: session files, including sub-agents",
	.shared_session = "sessionId",
	.shared_by_all = true,
	.sure = "uuid sessionId message.content !message.parts, "
		"uuid sessionId isSidechain !message.parts",
	.hint = "20 type=queue-operation|summary|file-history-snapshot|"
		"permission-mode|mode|last-prompt|custom-title|ai-title|"
		"agent-name, -100 uuid sessionId message.parts",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct session),
	.read = read_record,
	.knows_blocks = true,
	.end_run = emit_progress,
	.beside = claude_files_beside,
	.owner = claude_file_owner,
	/* Logs that were made public may lack ids. */
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
