/*
 * Session files of Qwen Code: a tree of records, one a line, as in Claude
 * Code's, whose messages are Gemini's contents.
 */
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"

/* A text as the user typed it, where files that it names were inserted: the
 * next record has both. */
struct typed {
	struct str text, record; /* bodies */
};

static void
read_content(struct log *log, const struct json *content)
{
	gemini_content_read(log->builder, content, false);
}

static void
read_user(struct log *log, const struct json *r)
{
	const struct json *shown = json_path(r, "systemPayload.displayText");
	const struct typed *typed = log->state;
	struct builder *b = log->builder;

	if (json_raw(shown).n != 0)
		builder_prompt(b, shown);
	else if (typed->text.n != 0 &&
	    str_eq(typed->record, json_raw(json_get(r, "parentUuid"))))
		builder_prompt_body(b, typed->text);
	else
		gemini_content_read(b, json_get(r, "message"), false);
}

static void
note_typed(struct log *log, const struct json *r)
{
	struct typed *typed = log->state;

	typed->text =
	    copy_body(log->arena, json_path(r, "systemPayload.userText"));
	typed->record = copy_body(log->arena, json_get(r, "uuid"));
}

/* Reads an error of the model's API, which counts only if no answer follows. */
static void
read_telemetry(struct log *log, const struct json *event)
{
	if (field_is(event, "event.name", "qwen-code.api_error") &&
	    field_find(event, "subagent_name") == NULL)
		builder_error(
		    log->builder, field_find(event, "error_message error"));
}

static void
before(struct log *log, const struct json *r)
{
	enum {
		UUID,
		PARENT,
		SESSION,
		TS,
		TYPE,
		CWD,
		RELEASE,
		BRANCH,
		MESSAGE,
		SIDE,
		AGENT,
		FORK,
		NAME,
		N
	};
	static const struct str names[N] = { STR_CONST("uuid"),
		STR_CONST("parentUuid"), STR_CONST("sessionId"),
		STR_CONST("timestamp"), STR_CONST("type"), STR_CONST("cwd"),
		STR_CONST("version"), STR_CONST("gitBranch"),
		STR_CONST("message"), STR_CONST("isSidechain"),
		STR_CONST("agentId"), STR_CONST("forkedFrom"),
		STR_CONST("agentName") };
	struct builder *b = log->builder;
	const struct json *m[N];
	bool side;

	json_pick(r, names, N, m);
	side = json_is(m[SIDE], JSON_TRUE);
	if (m[UUID] == NULL)
		return;
	log_run(log, m[SESSION]);
	builder_locate(b, .ts = m[TS], .sidechain = side,
	    .agent = side ? m[AGENT] : NULL, .name = side ? m[NAME] : NULL,
	    .replay = m[FORK] != NULL, .node = m[UUID], .after = m[PARENT],
	    .content = m[MESSAGE]);
	builder_meta(b, "cwd", m[CWD]);
	builder_meta(b, "branch", m[BRANCH]);
	builder_meta(b, "version", m[RELEASE]);
	builder_meta(b, "forked_from", json_get(m[FORK], "sessionId"));
}

static const struct log_row events[] = {
	LOG_ROW("subtype=at_command", LOG_HOOK, .read = note_typed),
	LOG_ROW("subtype=custom_title", LOG_META, .name = "title",
	    .of = "systemPayload.customTitle"),
	LOG_ROW("subtype=ui_telemetry", LOG_HOOK, .of = "systemPayload.uiEvent",
	    .read = read_telemetry),
	LOG_ROW("subtype=turn_result systemPayload.state=error", LOG_ERROR,
	    .of = "systemPayload.error"),
	LOG_ROW("subtype=turn_result systemPayload.state=cancelled", LOG_META,
	    .name = "interrupted", .of = "systemPayload.state"),
	LOG_ROW("subtype=turn_result|chat_compression|slash_command|rewind|"
		"parent_session|attribution_snapshot|file_history_snapshot|"
		"notification|cron|session_artifact_event|"
		"session_artifact_snapshot",
	    LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row rows[] = {
	/* Words of the program itself: notices, scheduled texts, reminders of
	 * the model's goal. */
	LOG_ROW("type=user subtype=notification|cron", LOG_NOTHING),
	LOG_ROW("type=user provenance !provenance=real_user", LOG_NOTHING),
	LOG_ROW("type=user else", LOG_HOOK, .read = read_user),
	LOG_ROW("type=assistant", LOG_NO_ERROR),
	LOG_ROW("type=assistant|tool_result", LOG_HOOK, .of = "message",
	    .read = read_content),
	LOG_ROW("type=assistant", LOG_MODEL, .of = "model"),
	LOG_ROW("type=assistant", LOG_USAGE, .of = "usageMetadata",
	    .id = "uuid", .count = gemini_usage_read),
	LOG_ROW("type=tool_result toolCallResult.status", LOG_RESULT,
	    .id = "toolCallResult.callId",
	    .failed = "!toolCallResult.status=success"),
	LOG_ROW("type=system", LOG_IN, .rows = events),
	LOG_LAST,
};

const struct log_format log_format_qwen = {
	.name = "qwen",
	.what = "Qwen Code: session files",
	.shared_session = "sessionId",
	.shared_by_all = true,
	.sure = "message.parts=[ uuid sessionId, "
		"systemPayload uuid sessionId",
	.unflagged = UNFLAGGED_OK,
	.before = before,
	.rows = rows,
	.state = sizeof(struct typed),
	.knows_blocks = true,
};
