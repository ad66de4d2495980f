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
#include "extract/format/subagent_files.h"
#include "io/list_files.h"
#include "json/stream.h"

#include <unistd.h>

/* ---- files ---- */

/*
 * Claude Code keeps the records of a session's sub-agents in the folder
 * SESSION/subagents beside SESSION.jsonl, as agent-ID.jsonl with a sidecar
 * agent-ID.meta.json; earlier versions keep agent-ID.jsonl beside the session's
 * file.
 */

/* The content of a sidecar; zeroed at first. */
struct sidecar_state {
	const char *path; /* the file whose sidecar was read */
	struct str call;
	bool of_program; /* the file is that of an agent of the program */
};

static char *
path_of(struct arena *a, struct str folder, const char *between,
    struct str name, const char *end)
{
	struct str s = str_printf(
	    a, "%.*s%s%.*s%s", STR_FMT(folder), between, STR_FMT(name), end);

	return str_c(a, s);
}

static bool
is_agent_file(struct str path)
{
	struct str name = str_from(path, subagent_files_folder(path.s).n);

	return str_starts(name, "agent-") && str_ends(name, STR(".jsonl"));
}

/* Implements the member `beside` of struct log_format. */
static char **
files_beside(struct log *log)
{
	struct arena *a = log->arena;
	struct folder all = list_files(a,
	    path_of(a, subagent_files_stem(log->path), "/subagents",
		(struct str){ 0 }, ""));
	struct builder_ids missing = builder_missing_agents(log->builder, a);
	char **files = arena_new_n(a, char *, all.n + missing.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_agent_file(str_of(all.paths[i])))
			files[n++] = all.paths[i];
	for (size_t i = 0; i < missing.n; i++) {
		char *path = path_of(a, subagent_files_folder(log->path),
		    "agent-", missing.list[i], ".jsonl");

		if (str_find_char(missing.list[i], '/') == missing.list[i].n &&
		    access(path, F_OK) == 0)
			files[n++] = path;
	}
	return files;
}

static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str path = str_of(log->path);
	size_t end = subagent_files_find(path);

	if (!json_is(json_get(record, "isSidechain"), JSON_TRUE) ||
	    !is_agent_file(path))
		return NULL;
	if (end < path.n)
		return path_of(log->arena, str_slice(path, 0, end), "",
		    (struct str){ 0 }, ".jsonl");
	return path_of(log->arena, subagent_files_folder(log->path), "",
	    json_raw(json_get(record, "sessionId")), ".jsonl");
}

static struct str
read_sidecar(struct arena *a, const char *path)
{
	char *files[] = { path_of(a, subagent_files_stem(path), "",
			      STR(".meta"), ".json"),
		NULL };
	struct str call = { 0 };
	struct json_stream values;
	struct in in;

	if (!is_agent_file(str_of(path)) || access(files[0], R_OK) != 0)
		return call;
	in_open(&in, files);
	json_stream_open(&values, &in, false);
	call = copy_body(a, json_get(json_stream_next(&values), "toolUseId"));
	json_stream_close(&values);
	in_close(&in);
	return call;
}

/* Returns what the name of the file that is read, and its sidecar, say: the body
 * of the id of the call that started the sub-agent whose file it is, absent if no
 * sidecar says so; and who the sub-agent is. */
static const struct sidecar_state *
sidecar_of(struct log *log, struct sidecar_state *s)
{
	struct str name;

	if (s->path == log->path)
		return s;
	name = str_from(str_of(log->path), subagent_files_folder(log->path).n);
	*s = (struct sidecar_state){
		.path = log->path,
		.call = read_sidecar(log->arena, log->path),
		.of_program = is_agent_file(str_of(log->path)) &&
		    claude_agent_is_helper(str_from(name, strlen("agent-"))),
	};
	return s;
}

/* Returns whether the name of the file that is read is this session's id. */
static bool
is_file_of(const struct log *log, struct str session)
{
	return str_eq(str_from(subagent_files_stem(log->path),
			  subagent_files_folder(log->path).n),
	    session);
}

/* ---- members ---- */

struct sessions {
	/* Ids of the run's sessions: a resumed session opens with the records
	 * of the session before it. */
	struct hash_table ids;
	struct str root; /* uuid of the run's first record */
	struct sidecar_state sidecar;
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
	ID,
	MESSAGE_TYPE, /* not read, like ROLE and STOP_SEQUENCE */
	ROLE,
	MODEL,
	CONTENT,
	STOP_REASON,
	STOP_SEQUENCE,
	USAGE,
	MESSAGE_MEMBERS
};

static const struct str message_members[MESSAGE_MEMBERS] = {
	[ID] = STR_CONST("id"),
	[MESSAGE_TYPE] = STR_CONST("type"),
	[ROLE] = STR_CONST("role"),
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

/* Returns whether r is a record outside the tree. A file may open with many
 * such records. */
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
		/* Other programs write the same tree. */
		return -LOG_FORMAT_SURE;
	if (json_get(message, "content") != NULL ||
	    json_get(r, "isSidechain") != NULL)
		return LOG_FORMAT_SURE;
	return 0;
}

/* ---- sessions ---- */

/* Returns whether r is the first record of another session, in a file that
 * several sessions were put in. Such a record follows none, and either the run
 * consists of other sessions, or the same record opened the run too. In a file
 * that is named after the session, all records belong to that session. */
static bool
begins_run(const struct log *log, const struct record *r)
{
	const struct sessions *s = log->state;
	struct str id = json_raw(r->m[SESSION]);

	if (id.n == 0 || s->root.s == NULL || r->side || r->after != NULL ||
	    is_file_of(log, id))
		return false;
	return hash_get(&s->ids, id) == NULL ||
	    str_eq(s->root, json_raw(r->m[UUID]));
}

static void emit_progress(struct log *);

static void
note_session(struct log *log, const struct record *r)
{
	struct str id = json_raw(r->m[SESSION]);
	/* A file may have many runs. */
	struct arena *run = &log->builder->run_arena;
	struct sessions *s = log->state;

	if (begins_run(log, r)) {
		emit_progress(log);
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

/* Returns whether id is a session of the run. The file may hold the title
 * before the session's first record: then every session counts. */
static bool
is_known(const struct sessions *s, const struct json *id)
{
	return s->root.s == NULL || hash_get(&s->ids, json_raw(id)) != NULL;
}

/* ---- records ---- */

/* Returns whether an agent of the program itself wrote the record. Only the name
 * of the file may say so. */
static bool
is_of_program(struct log *log, const struct record *r)
{
	struct sessions *s = log->state;

	if (r->m[AGENT] != NULL)
		return claude_agent_is_helper(json_raw(r->m[AGENT]));
	return r->side && sidecar_of(log, &s->sidecar)->of_program;
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
locate_record(struct log *log, const struct record *r, bool by_model)
{
	struct sessions *s = log->state;

	builder_locate(log->builder, .ts = r->m[TIMESTAMP],
	    .message = by_model ? r->message[ID] : NULL, .sidechain = r->side,
	    .agent = r->side ? r->m[AGENT] : NULL,
	    .parent = sidecar_of(log, &s->sidecar)->call,
	    .replay = r->m[FORKED_FROM] != NULL, .node = r->m[UUID],
	    .after = r->after, .content = r->m[MESSAGE]);
}

/* ---- messages in records of progress ---- */

static void
note_progress(struct log *log, const struct json *record)
{
	const struct json *data = json_get(record, "data");
	const struct json *call = json_get(record, "parentToolUseID");
	struct arena *run = &log->builder->run_arena;
	struct sessions *s = log->state;
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
	struct sessions *s = log->state;

	for (struct progress *p = s->first; p != NULL; p = p->next)
		p->known = builder_has_agent(b, json_get(p->data, "agentId"));
	for (const struct progress *p = s->first; p != NULL; p = p->next)
		if (!p->known)
			read_progress(b, p);
	s->first = s->last = NULL;
}

static void
end(struct log *log)
{
	if (log->state != NULL)
		emit_progress(log);
}

/* ---- a record ---- */

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
	if (r.m[UUID] == NULL || is_of_program(log, &r))
		return;
	note_session(log, &r);
	locate_record(log, &r, by_model);
	read_about(log, &r);
	if (by_model)
		read_assistant(b, &r);
	else if (json_str_is(type, "user"))
		read_user(b, &r);
	else if (json_str_is(type, "attachment"))
		read_attachment(b, r.m[ATTACHMENT]);
	else if (json_str_is(type, "progress"))
		note_progress(log, record);
	else if (json_str_is(r.m[SUBTYPE], "turn_duration"))
		builder_turn_duration(b, r.m[DURATION]);
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
	.score = score,
	.signs = "uuid type=queue-operation type=summary "
		 "type=file-history-snapshot type=permission-mode type=mode "
		 "type=last-prompt type=custom-title type=ai-title "
		 "type=agent-name",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.end = end,
	.beside = files_beside,
	.owner = file_owner,
	/* Logs that were made public may lack ids. */
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
