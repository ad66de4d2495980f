/*
 * Claude Code's session files: a tree of records, with the records of
 * sub-agents among them or in files of their own. Formats drift weekly:
 * records of other types count only as places in the tree.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/format/claude_files.h"
#include "extract/format/claude_user.h"
#include "extract/format/format.h"

struct sessions {
	struct hash_table ids; /* of the run's sessions: one that is resumed
	                        * opens with the records of the one before */
	struct str root;       /* uuid of the run's first record */
	struct claude_sidecar sidecar;
};

/* Members of a record: those of most, in the order in which they are written;
 * and others. */
enum {
	PARENT,
	IS_SIDECHAIN,
	USER_TYPE, /* of all, and not read */
	CWD,
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

/* Members of its message. */
enum { MODEL, ID, CONTENT, STOP_REASON, USAGE, MESSAGE_MEMBERS };

static const struct str message_members[MESSAGE_MEMBERS] = {
	[MODEL] = STR_CONST("model"),
	[ID] = STR_CONST("id"),
	[CONTENT] = STR_CONST("content"),
	[STOP_REASON] = STR_CONST("stop_reason"),
	[USAGE] = STR_CONST("usage"),
};

/* A record, by its members. */
struct record {
	const struct json *m[MEMBERS], *message[MESSAGE_MEMBERS];
	bool side;                /* a sub-agent's */
	const struct json *after; /* the record that it follows */
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

/* Records that are no part of the tree; a file may open with many of them. */
static bool
is_aside(const struct json *r)
{
	return field_is_type(r,
	    "queue-operation summary file-history-snapshot permission-mode "
	    "mode last-prompt custom-title ai-title agent-name");
}

static int
score(const struct json *r)
{
	const struct json *message = json_get(r, "message");

	if (is_aside(r))
		return LOG_FORMAT_SURE / 5;
	if (json_get(r, "sessionId") == NULL || json_get(r, "uuid") == NULL)
		return 0;
	if (json_get(message, "parts") != NULL)
		return -LOG_FORMAT_SURE; /* others have the same tree */
	if (json_get(message, "content") != NULL ||
	    json_get(r, "isSidechain") != NULL)
		return LOG_FORMAT_SURE;
	return 0;
}

/* ---- sessions ---- */

/*
 * Whether the record is the first of another session, in a file that several
 * were put in: it follows none, and the run is of other sessions, or it opened
 * the run as well. What a session's own file holds is all of that session.
 */
static bool
begins_run(const struct log *log, const struct record *r)
{
	const struct sessions *s = log->state;
	struct str id = json_raw(r->m[SESSION]);

	if (id.n == 0 || s->root.s == NULL || r->side || r->after != NULL ||
	    claude_files_is_of(log, id))
		return false;
	return hash_get(&s->ids, id) == NULL ||
	    str_eq(s->root, json_raw(r->m[UUID]));
}

static void
note_session(struct log *log, const struct record *r)
{
	struct str id = json_raw(r->m[SESSION]);
	struct arena *run = &log->builder->run_arena; /* a file may have many */
	struct sessions *s = log->state;

	if (begins_run(log, r)) {
		builder_begin_run(log->builder);
		s->ids = (struct hash_table){ .arena = run };
		s->root = (struct str){ 0 };
	}
	if (r->side)
		return;
	if (s->root.s == NULL)
		s->root = copy_body(run, r->m[UUID]);
	if (hash_get(&s->ids, id) == NULL)
		*hash_put(&s->ids, str_dup(run, id)) = s;
}

/* The file may hold the title before the session's first record. */
static bool
is_known(const struct sessions *s, const struct json *id)
{
	return s->root.s == NULL || hash_get(&s->ids, json_raw(id)) != NULL;
}

/* ---- records ---- */

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

/* Each record of a message repeats its counts, the later the better. */
static void
read_usage(struct builder *b, const struct record *r)
{
	struct str key = json_raw(r->message[ID]);
	struct usage u = { 0 };

	if (r->m[REQUEST] != NULL)
		key = str_cat(&b->run_arena, key, json_raw(r->m[REQUEST]));
	anthropic_usage_read(&u, r->message[USAGE]);
	usage_read(&u, USAGE_COST, r->m[COST]);
	builder_usage(b, key, &u, json_is(r->message[STOP_REASON], JSON_NULL));
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
	for (json_each(block, message[CONTENT]))
		anthropic_block_read(b, block);
	read_usage(b, r);
}

/* What a user typed while the agent was busy. */
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

/* A sub-agent may have worked in another folder, and for the session that this
 * one goes on from: the run is what the main agent's records say. */
static void
read_about(struct log *log, const struct record *r)
{
	const struct sessions *s = log->state;
	struct builder *b = log->builder;

	if (r->side && s->root.s != NULL)
		return;
	builder_set(b, RUN_ID, r->m[SESSION]);
	builder_meta(b, "cwd", r->m[CWD]);
	builder_meta(b, "branch", r->m[BRANCH]);
	builder_meta(b, "version", r->m[PROGRAM]);
	builder_meta(
	    b, "forked_from", json_get(r->m[FORKED_FROM], "sessionId"));
}

static void
stand_at(struct log *log, const struct record *r, bool by_model)
{
	struct sessions *s = log->state;

	builder_locate(log->builder, .ts = r->m[TIMESTAMP],
	    .message = by_model ? r->message[ID] : NULL, .sidechain = r->side,
	    .agent = r->side ? r->m[AGENT] : NULL,
	    .parent = claude_files_call(log, &s->sidecar),
	    .replay = r->m[FORKED_FROM] != NULL, .node = r->m[UUID],
	    .after = r->after, .content = r->m[MESSAGE]);
}

static void
read_record(struct log *log, const struct json *record)
{
	const struct record r = read_members(record);
	struct builder *b = log->builder;
	const struct json *type = r.m[TYPE];
	bool by_model = json_str_is(type, "assistant");
	struct sessions *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct sessions);
		s->ids.arena = &log->builder->run_arena;
	}
	if (json_str_is(type, "custom-title") && is_known(s, r.m[SESSION]))
		builder_meta(b, "title", r.m[TITLE]);
	if (r.m[UUID] == NULL)
		return;
	note_session(log, &r);
	stand_at(log, &r, by_model);
	read_about(log, &r);
	if (by_model)
		read_assistant(b, &r);
	else if (json_str_is(type, "user"))
		read_user(b, &r);
	else if (json_str_is(type, "attachment"))
		read_attachment(b, r.m[ATTACHMENT]);
	else if (json_str_is(r.m[SUBTYPE], "turn_duration"))
		builder_turn_duration(b, r.m[DURATION]);
}

const struct log_format log_format_claude_code = {
	.name = "claude-code",
	.what = "Claude Code session files, with those of sub-agents",
	.score = score,
	.read = read_record,
	.beside = claude_files,
	.owner = claude_files_owner,
};
