/*
 * Sessions of DeepSeek Harness, session.jsonl and session.vN.jsonl, one event a
 * line: {"type": "tool/call", "seq", "time", "data": {...}}. The names are those
 * of its source (packages/core/session) and of CodeBurn's description of the
 * later versions.
 */
#include <unistd.h>

#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"

/* A record that waits until it is known whose it is. */
struct waiting {
	const struct json *json;
	struct place at;
};

struct session {
	const struct log_rows *events;
	const char *path; /* of the first file */
	double seed;      /* events before this number are the parent's */
	/* The session has a parent, and a later mark may say that the events so
	 * far are the parent's. */
	bool waits;
	struct waiting *waiting;
	size_t n;
};

/* Implements the member `owner` of struct log_format: a session that was
 * migrated is kept in its older versions, too, and the newest counts. */
static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str folder = subagent_files_folder(log->path);
	struct str name = str_from(str_of(log->path), folder.n);
	char *own = str_c(log->arena, name);
	size_t dot;

	(void)record;
	if (!str_starts(name, "session."))
		return NULL;
	dot = str_find(name, ".jsonl");
	for (int v = 9; v > 0; v--) {
		char *newer = str_c(log->arena,
		    str_printf(log->arena, "session.v%d%s", v, own + dot));
		char *path = str_c(
		    log->arena, str_cat(log->arena, folder, str_of(newer)));

		if (strcmp(newer, own) == 0)
			return NULL;
		if (access(path, R_OK) == 0)
			return path;
	}
	return NULL;
}

/* ---- events ---- */

static const struct log_row blocks[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=tool-call", LOG_HOOK, .report = openai_call_read),
	LOG_ROW("type=reasoning|image", LOG_NOTHING),
	LOG_LAST,
};

static void
read_message(struct log *log, const struct json *data)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_model(b, json_path(data, "message.source.model"));
	builder_set_first(
	    b, RUN_PROVIDER, json_path(data, "message.source.provider"));
	field_usage(&u, json_get(data, "usage"), .input = "inputTokens",
	    .output = "outputTokens", .cache_read = "cacheReadTokens",
	    .cache_write = "cacheWriteTokens", .reasoning = "reasoningTokens");
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_call(struct log *log, const struct json *data)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(data, "callId");

	if (builder_has_call(b, id))
		builder_begin_call(b, id);
	else
		builder_call(b, .id = id, .tool = json_get(data, "name"),
		    .args = json_get(data, "arguments"), .decode = true);
}

/* A result: a message with one block, or, in version 4, one that is the result
 * itself. */
#define RESULT "type=tool/result "
#define BLOCK "data.message.content.0"

static const struct log_row events[] = {
	LOG_ROW("type=turn/start", LOG_NO_ERROR),
	LOG_ROW("type=turn/start", LOG_OPEN), /* until its end is read */
	LOG_ROW(
	    "type=user/message !data.source", LOG_PROMPT, .of = "data.content"),
	LOG_ROW("type=user/message data.source.kind=user", LOG_PROMPT,
	    .of = "data.content"),
	LOG_ROW("type=user/message data.source !data.source.kind=user",
	    LOG_NOTHING),
	LOG_ROW("type=assistant/message", LOG_MESSAGE),
	LOG_ROW("type=assistant/message", LOG_EACH,
	    .of = "data.message.content", .rows = blocks),
	LOG_ROW("type=assistant/message", LOG_HOOK, .of = "data",
	    .read = read_message),
	LOG_ROW("type=tool/call", LOG_HOOK, .of = "data", .read = read_call),
	LOG_ROW(RESULT BLOCK ".type=tool-result", LOG_RESULT,
	    .id = BLOCK ".toolCallId " BLOCK ".callId " BLOCK ".source.callId",
	    .result = BLOCK ".content",
	    .failed = "data.error={, " BLOCK ".isError=true"),
	LOG_ROW(RESULT "!" BLOCK ".type=tool-result", LOG_RESULT,
	    .id = "data.message.toolCallId data.message.callId "
		  "data.message.source.callId",
	    .result = "data.message.content",
	    .failed = "data.error={, data.message.isError=true"),
	LOG_ROW("type=turn/end data.reason.kind=error", LOG_ERROR,
	    .of = "data.reason.error data.reason.failure"),
	LOG_ROW("type=turn/end data.reason.kind=max-tokens", LOG_STOP,
	    .of = "data.reason.kind"),
	LOG_ROW("type=turn/end "
		"!data.reason.kind=error|max-tokens|completed",
	    LOG_META, .name = "interrupted", .of = "data.reason.kind"),
	LOG_ROW("type=turn/end", LOG_CLOSED),
	LOG_ROW("type=system/message", LOG_SYSTEM,
	    .of = "data.message.content data.content"),
	LOG_ROW("type=step/start|step/end|text-chunks|assistant/chunk|"
		"assistant/attempt|todo/write",
	    LOG_NOTHING),
	LOG_ROW("type=request/*|approval/*|command/*|compaction/*|feedback/*|"
		"goal/*|hook/*|llm/*|model/*|permission/*|plan/*|sandbox/*|"
		"session/*|subagent/*|agent/inbox/*|agent-preset/*",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_event(struct log *log, const struct json *r)
{
	const struct session *s = log->state;

	if (s->seed > 0 && json_double(json_get(r, "seq")) < s->seed)
		return;
	builder_locate(log->builder, .ts = json_get(r, "time"));
	log_rows_read(log, s->events, r);
}

/* ---- sessions ---- */

/* Reads the events that wait. */
static void
flush(struct log *log)
{
	struct session *s = log->state;

	for (size_t i = 0; i < s->n; i++) {
		builder_source(
		    log->builder, s->waiting[i].at.file, s->waiting[i].at.line);
		read_event(log, s->waiting[i].json);
	}
	s->n = 0;
}

/* Reads the head of a session. The first versions count the events that a
 * session inherits from its parent; later versions mark the last such event. */
static void
read_head(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = log->state;
	const struct json *parent = json_get(r, "parentSession");
	bool counted = json_double(json_get(r, "version")) < 2;

	flush(log);
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_meta(b, "cwd", json_get(r, "cwd"));
	builder_meta(b, "parent_session", parent);
	s->seed = parent != NULL && counted
	    ? json_double(json_get(r, "seedLength"))
	    : 0;
	s->waits = parent != NULL && !counted;
}

/* Reads the mark behind the events of a session's beginning, which may be its
 * parent's. */
static void
read_seed_end(struct log *log, const struct json *inherited)
{
	struct session *s = log->state;

	if (json_is(inherited, JSON_TRUE))
		s->n = 0;
}

static void
read_or_await(struct log *log, const struct json *r)
{
	struct session *s = log->state;

	if (s->waits)
		*arena_push(log->arena, s->waiting, s->n) =
		    (struct waiting){ .json = copy_tree(log->arena, r),
			    .at = log->at };
	else
		read_event(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("type=session", LOG_HOOK, .read = read_head),
	LOG_ROW("type=session/end-seed", LOG_HOOK, .of = "data.inherited",
	    .read = read_seed_end),
	/* In what the model sees, it replaces events before it. */
	LOG_ROW("else surfaceOp={", LOG_NOTHING),
	LOG_ROW("else", LOG_HOOK, .read = read_or_await),
	LOG_LAST,
};

static void
read_record(struct log *log, const struct json *r)
{
	struct session *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->path = log->path;
		s->events = log_rows_of(log->arena, events);
	}
	if (s->path == log->path) /* not an older version */
		log_read_by_rows(log, r);
}

static void
end(struct log *log)
{
	if (log->state != NULL)
		flush(log);
}

/* Implements the member `beside` of struct log_format: older versions that wait
 * for this one are passed over. */
static char **
files_beside(struct log *log)
{
	return arena_new_n(log->arena, char *, 1);
}

const struct log_format log_format_dsh = {
	.name = "dsh",
	.what = "DeepSeek Harness: session files",
	.sure = "type=session createdAt=# version=#, seq=# data={ type=*/*",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.read = read_record,
	.knows_blocks = true,
	.end = end,
	.beside = files_beside,
	.owner = file_owner,
};
