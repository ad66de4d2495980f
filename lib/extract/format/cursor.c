/*
 * Cursor's command line: its output as stream-json or json, and the transcripts
 * that it keeps, which have neither results nor times. The transcripts of
 * sub-agents are in the folder SESSION/subagents, beside SESSION/SESSION.jsonl;
 * other programs name the session's file otherwise.
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"
#include "io/list_files.h"

#include <unistd.h>

struct session {
	/* More than the result was read; json prints the result only. */
	bool streamed;
	bool spoke;       /* the assistant said something */
	bool ended;       /* its result was read; it may continue */
	const char *path; /* of its transcript */
};

/* Returns the name of the file without its folder. */
static struct str
name_of(const char *path)
{
	return str_from(str_of(path), subagent_files_folder(path).n);
}

/* Returns the session's file of the folder that has the folder "subagents", or
 * NULL: the only .jsonl file in the folder, or the one with the folder's name, or
 * FOLDER.jsonl. An empty path is the current folder. */
static const char *
session_file(struct arena *a, struct str path)
{
	const struct str end = STR(".jsonl");
	struct str folder = path.n == 0 ? STR(".") : path, own;
	struct folder all;
	const char *found = NULL;
	size_t n = 0;

	while (folder.n > 1 && folder.s[folder.n - 1] == '/')
		folder.n--;
	all = list_files(a, str_c(a, folder));
	own = str_cat(a, name_of(str_c(a, folder)), end);
	for (size_t i = 0; i < all.n; i++) {
		struct str name = str_from(str_of(all.paths[i]), folder.n + 1);

		if (!str_ends(name, end) || str_find_char(name, '/') < name.n)
			continue;
		n++;
		found = all.paths[i];
		if (str_eq(name, own))
			return found;
	}
	if (n == 0)
		found = str_c(a, str_cat(a, folder, end));
	return n > 1 || access(found, F_OK) != 0 ? NULL : found;
}

/* Returns the folder "subagents" of the session's file, or NULL. */
static const char *
subagents_of(struct log *log)
{
	struct arena *a = log->arena;
	struct str folders[] = { subagent_files_folder(log->path),
		subagent_files_stem(log->path) };

	for (size_t i = 0; i < 2; i++) {
		const char *path = str_c(a,
		    str_printf(a, "%.*s%ssubagents", STR_FMT(folders[i]),
			i == 0 ? "" : "/"));
		const char *session = access(path, F_OK) != 0
		    ? NULL
		    : session_file(a, folders[i]);

		if (session != NULL &&
		    str_eq(name_of(session), name_of(log->path)))
			return path;
	}
	return NULL;
}

static char **
files_beside(struct log *log)
{
	return subagent_files_list(
	    log->arena, subagents_of(log), STR(".jsonl"));
}

static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str path = str_of(log->path);
	size_t end = subagent_files_find(path);

	(void)record;
	if (str_starts(path, "subagents/"))
		end = 0;
	return end == path.n
	    ? NULL
	    : session_file(log->arena, str_slice(path, 0, end));
}

/* A record of a transcript. */
#define SPOKEN "role !type !session_id message.content=["

/* ---- calls ---- */

/* Returns the call in a record: the member's key is the tool's name with the
 * suffix ToolCall. */
static const struct json *
call_of(const struct json *r, struct str *name)
{
	for (json_members(key, json_get(r, "tool_call"))) {
		*name = json_raw(key);
		if (str_ends(*name, "ToolCall")) {
			name->n -= 8;
			return json_value(key);
		}
		if (str_is(*name, "function"))
			return json_value(key);
	}
	return NULL;
}

static void
read_start(struct builder *b, const struct json *id, struct str name,
    const struct json *call, bool ended)
{
	const struct json *args = json_get(call, "args");

	if (str_is(name, "function"))
		builder_call(b, .id = id, .tool = json_get(call, "name"),
		    .args = json_get(call, "arguments"), .decode = true,
		    .early = ended);
	else if (str_is(name, "mcp"))
		builder_call(b, .id = id,
		    .tool = field_find(args, "name toolName"),
		    .server =
			field_find(args, "serverIdentifier providerIdentifier"),
		    .name = json_get(args, "toolName"),
		    .args = json_get(args, "args"), .early = ended);
	else
		builder_call(b, .id = id, .tool = builder_str(b, name),
		    .args = args, .early = ended);
}

/* Reads the result of a call: an object of one member, whose key is the
 * outcome. */
static void
read_end(struct builder *b, const struct json *id, const struct json *call)
{
	const struct json *result = json_get(call, "result");
	const struct json *success = json_get(result, "success");
	double code = json_double(json_get(success, "exitCode"));
	bool failed = success == NULL || code > 0 || code < 0 ||
	    json_is(json_get(success, "isError"), JSON_TRUE);

	builder_result(b, .id = id,
	    .value = success != NULL ? success : json_value(json_first(result)),
	    .is_error = result == NULL ? NULL : builder_bool(failed),
	    .duration = json_get(success, "executionTime"));
}

/* ---- records ---- */

/* Reads the final result. Its text is everything that was said, in one piece;
 * where the parts were logged, the answer is the last part. */
static void
read_result(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = log->state;
	const struct json *text = json_get(r, "result");
	bool failed = json_is(json_get(r, "is_error"), JSON_TRUE);

	if (!s->streamed)
		builder_no_calls(b);
	builder_set(
	    b, RUN_DURATION, s->ended ? NULL : json_get(r, "duration_ms"));
	s->ended = true;
	if (!s->spoke && !failed && json_is(text, JSON_STRING))
		builder_set(b, RUN_FINAL, text);
	builder_error(b, failed ? text : NULL);
	builder_set_broken(b, false);
}

static void
read_assistant(struct log *log, const struct json *content)
{
	for (json_each(block, content))
		anthropic_block_read(log->builder, block);
	((struct session *)log->state)->spoke = true;
}

static void
read_tool_call(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct str name = { 0 };
	const struct json *call = call_of(r, &name);
	const struct json *id = json_get(r, "call_id");
	bool ended = field_is(r, "subtype", "completed");

	if (!ended || !builder_has_call(b, id))
		read_start(b, id, name, call, ended);
	if (ended)
		read_end(b, id, call);
}

static struct session *
session_of(struct log *log, const struct json *id)
{
	log_run(log, id);
	return log->state;
}

static void
before_event(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct session *s = session_of(log, json_get(r, "session_id"));

	builder_set_broken(b, true); /* until the result is read */
	builder_locate(b,
	    .ts = field_find(r,
		field_is(r, "subtype", "completed")
		    ? "tool_call.completedAtMs timestamp_ms"
		    : "tool_call.startedAtMs timestamp_ms"));
	if (s->ended && field_is_type(r, "user assistant tool_call"))
		builder_reopen(b);
	s->streamed |= !field_is_type(r, "result");
	s->spoke &= !field_is_type(r, "system");
}

/* ---- transcripts ---- */

/* Sets the position: in the transcript of a sub-agent that is read with the
 * session's, that of the sub-agent. */
static void
locate_transcript(struct log *log)
{
	struct session *s = session_of(log, NULL);
	struct str path = subagent_files_stem(log->path);

	if (s->path == NULL)
		s->path = log->path;
	if (s->path == log->path)
		builder_locate(log->builder, 0);
	else
		builder_locate(log->builder, .sidechain = true,
		    .agent = builder_str(log->builder,
			str_from(path, subagent_files_folder(log->path).n)));
}

/* Reads a prompt. The user's words are between marks, beside words of the
 * program. */
static void
read_prompt(struct log *log, const struct json *content)
{
	const struct json *text;

	for (json_each(block, content))
		if (anthropic_block_is_result(block))
			anthropic_result_read(log->builder, block, NULL);
		else if (json_is(text = json_get(block, "text"), JSON_STRING))
			builder_prompt_body(log->builder,
			    log_between_marks(json_raw(text),
				STR("<user_query>"), STR("</user_query>")));
		else
			builder_unread_block(
			    log->builder, json_raw(json_get(block, "type")));
}

static void
read_spoken(struct log *log, const struct json *r)
{
	builder_error(log->builder, NULL);
	anthropic_content_read(
	    log->builder, json_get(r, "role"), json_path(r, "message.content"));
}

static void
before(struct log *log, const struct json *r)
{
	if (json_get(r, "session_id") != NULL || field_is_type(r, "result"))
		before_event(log, r);
	else if (log_rows_holds(SPOKEN, r))
		locate_transcript(log);
}

static const struct log_row rows[] = {
	LOG_ROW("type=system session_id", LOG_MODEL, .of = "model"),
	LOG_ROW("type=system session_id", LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW("type=user session_id", LOG_PROMPT, .of = "message.content"),
	/* Pieces of a text have a time; the whole text, which follows, has none,
	 * or has the id of the model's call as well. */
	LOG_ROW("type=assistant session_id timestamp_ms=? !model_call_id=?",
	    LOG_NOTHING),
	LOG_ROW("type=assistant|tool_call session_id", LOG_MESSAGE,
	    .id = "model_call_id"),
	LOG_ROW("type=assistant session_id else", LOG_HOOK,
	    .of = "message.content", .read = read_assistant),
	LOG_ROW("type=tool_call session_id", LOG_HOOK, .read = read_tool_call),
	LOG_ROW("type=result", LOG_HOOK, .read = read_result),
	LOG_ROW("type=result", LOG_TOTAL, .of = "usage",
	    .usage = &(const struct field_usage){ .input = "inputTokens",
		.output = "outputTokens",
		.cache_read = "cacheReadTokens",
		.cache_write = "cacheWriteTokens" }),
	LOG_ROW(
	    "type=turn_ended status=error error=\"", LOG_ERROR, .of = "error"),
	LOG_ROW("type=turn_ended status=error !error=\"", LOG_ERROR,
	    .of = "status"),
	LOG_ROW("type=turn_ended status=aborted error=\"", LOG_META,
	    .name = "interrupted", .of = "error"),
	LOG_ROW("type=turn_ended status=aborted !error=\"", LOG_META,
	    .name = "interrupted", .of = "status"),
	LOG_ROW("type=turn_ended|thinking|interaction_query", LOG_NOTHING),
	LOG_ROW(SPOKEN, LOG_MODEL, .of = "model"),
	LOG_ROW(SPOKEN " role=user", LOG_HOOK, .of = "message.content",
	    .read = read_prompt),
	LOG_ROW(SPOKEN " !role=user", LOG_HOOK, .read = read_spoken),
	LOG_LAST,
};

const struct log_format log_format_cursor = {
	.name = "cursor",
	.what = "Cursor CLI: output as stream-json or json, transcripts",
	.sure =
	    SPOKEN ", type=tool_call tool_call={, type=thinking session_id, "
		   "type=result session_id request_id",
	.hint = "50 type=system session_id apiKeySource !tools",
	.before = before,
	.rows = rows,
	.state = sizeof(struct session),
	.knows_blocks = true,
	.beside = files_beside,
	.owner = file_owner,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
