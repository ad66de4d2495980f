/*
 * Claude Code's session files: a tree of records, with the records of
 * sub-agents among them or in files of their own. Formats drift weekly:
 * records of other types count only as places in the tree.
 */
#include "../anthropic_message.h"
#include "../hash.h"
#include "../logfmt.h"
#include "claude_files.h"
#include "claude_user.h"

struct sessions {
	struct hash_table ids; /* of the run's sessions: one that is resumed
	                        * opens with the records of the one before */
	struct str root;       /* uuid of the run's first record */
	struct claude_sidecar sidecar;
};

static bool
is_true(const struct json *r, const char *name)
{
	return json_is(json_get(r, str_of(name)), JSON_TRUE);
}

/* Records that are no part of the tree; a file may open with many of them. */
static bool
is_aside(const struct json *type)
{
	static const char *const types[] = { "queue-operation", "summary",
		"file-history-snapshot", "permission-mode", "mode",
		"last-prompt", "custom-title", "ai-title", "agent-name" };

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (json_str_is(type, str_of(types[i])))
			return true;
	return false;
}

static int
score(const struct json *r)
{
	const struct json *message = json_get(r, STR("message"));

	if (is_aside(json_get(r, STR("type"))))
		return LOGFMT_SURE / 5;
	if (json_get(r, STR("sessionId")) == NULL ||
	    json_get(r, STR("uuid")) == NULL)
		return 0;
	if (json_get(message, STR("parts")) != NULL)
		return -LOGFMT_SURE; /* others have the same tree */
	if (json_get(message, STR("content")) != NULL ||
	    json_get(r, STR("isSidechain")) != NULL)
		return LOGFMT_SURE;
	return 0;
}

/* ---- sessions ---- */

/*
 * Whether the record is the first of another session, in a file that several
 * were put in: it follows none, and the run is of other sessions, or it opened
 * the run as well. What a session's own file holds is all of that session.
 */
static bool
begins_run(const struct log *log, const struct json *r)
{
	const struct sessions *s = log->state;
	struct str id = json_raw(json_get(r, STR("sessionId")));

	if (id.n == 0 || s->root.s == NULL || is_true(r, "isSidechain") ||
	    log_find(r, "logicalParentUuid parentUuid") != NULL ||
	    claude_files_is_of(log, id))
		return false;
	return hash_get(&s->ids, id) == NULL ||
	    str_eq(s->root, json_raw(json_get(r, STR("uuid"))));
}

static void
note_session(struct log *log, const struct json *r)
{
	struct str id = json_raw(json_get(r, STR("sessionId")));
	struct arena *run = &log->builder->run_arena; /* a file may have many */
	struct sessions *s = log->state;

	if (begins_run(log, r)) {
		builder_run(log->builder);
		s->ids = (struct hash_table){ .arena = run };
		s->root = (struct str){ 0 };
	}
	if (is_true(r, "isSidechain"))
		return;
	if (s->root.s == NULL)
		s->root = keep_body(run, json_get(r, STR("uuid")));
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
read_user(struct builder *b, const struct json *r)
{
	claude_user_read(b, log_find(r, "message.content message"),
	    json_get(r, STR("toolUseResult")),
	    is_true(r, "isMeta") || is_true(r, "isCompactSummary") ||
		is_true(r, "isVisibleInTranscriptOnly"));
}

/* Each record of a message repeats its counts, the later the better. */
static void
read_usage(struct log *log, const struct json *r, const struct json *message)
{
	struct usage u = { 0 };

	anthropic_usage_read(&u, json_get(message, STR("usage")));
	usage_read(&u, USAGE_COST, json_get(r, STR("costUSD")));
	builder_usage(log->builder,
	    str_cat(&log->builder->run_arena,
		json_raw(json_get(message, STR("id"))),
		json_raw(json_get(r, STR("requestId")))),
	    &u, json_is(json_get(message, STR("stop_reason")), JSON_NULL));
}

static void
read_assistant(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *message = json_get(r, STR("message"));
	const struct json *model = json_get(message, STR("model"));
	bool failed = is_true(r, "isApiErrorMessage");
	const struct json *content = json_get(message, STR("content"));

	/* The program's own words, in place of a model's. */
	if (failed && !is_true(r, "isSidechain"))
		builder_error(b, json_get(json_first(content), STR("text")));
	if (failed || json_str_is(model, STR("<synthetic>")))
		return;
	if (!is_true(r, "isSidechain"))
		builder_error(b, NULL);
	builder_model(b, model);
	for (json_each(block, content))
		anthropic_block_read(b, block);
	read_usage(log, r, message);
}

/* What a user typed while the agent was busy. */
static void
read_attachment(struct builder *b, const struct json *attachment)
{
	const struct json *mode = json_get(attachment, STR("commandMode"));

	if (json_str_is(
		json_get(attachment, STR("type")), STR("queued_command")) &&
	    !is_true(attachment, "isMeta") &&
	    (mode == NULL || json_str_is(mode, STR("prompt"))))
		claude_prompt_read(b, json_get(attachment, STR("prompt")));
}

static void
read_about(struct builder *b, const struct json *r)
{
	builder_set(b, RUN_ID, json_get(r, STR("sessionId")));
	builder_meta(b, "cwd", json_get(r, STR("cwd")));
	builder_meta(b, "branch", json_get(r, STR("gitBranch")));
	builder_meta(b, "version", json_get(r, STR("version")));
	builder_meta(b, "forked_from", json_path(r, "forkedFrom.sessionId"));
}

static void
stand_at(struct log *log, const struct json *r, bool by_model)
{
	const struct json *message = json_get(r, STR("message"));
	struct sessions *s = log->state;
	bool side = is_true(r, "isSidechain");

	builder_at(log->builder,
	    &(struct builder_at){
		.ts = json_get(r, STR("timestamp")),
		.message = by_model ? json_get(message, STR("id")) : NULL,
		.sidechain = side,
		.agent = side ? json_get(r, STR("agentId")) : NULL,
		.parent = claude_files_call(log, &s->sidecar),
		.replay = json_get(r, STR("forkedFrom")) != NULL,
		.node = json_get(r, STR("uuid")),
		.after = log_find(r, "logicalParentUuid parentUuid"),
		.content = message,
	    });
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, STR("type"));
	bool by_model = json_str_is(type, STR("assistant"));
	struct sessions *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct sessions);
		s->ids.arena = &log->builder->run_arena;
	}
	if (json_str_is(type, STR("custom-title")) &&
	    is_known(s, json_get(r, STR("sessionId"))))
		builder_meta(b, "title", json_get(r, STR("customTitle")));
	if (json_get(r, STR("uuid")) == NULL)
		return;
	note_session(log, r);
	stand_at(log, r, by_model);
	read_about(b, r);
	if (by_model)
		read_assistant(log, r);
	else if (json_str_is(type, STR("user")))
		read_user(b, r);
	else if (json_str_is(type, STR("attachment")))
		read_attachment(b, json_get(r, STR("attachment")));
	else if (json_str_is(json_get(r, STR("subtype")), STR("turn_duration")))
		builder_turn_duration(b, json_get(r, STR("durationMs")));
}

const struct logfmt logfmt_claude_code = {
	.name = "claude-code",
	.what = "Claude Code session files, with those of sub-agents",
	.score = score,
	.read = read_record,
	.beside = claude_files,
	.owner = claude_files_owner,
};
