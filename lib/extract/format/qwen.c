/*
 * Session files of Qwen Code: a tree of records, one a line, as in Claude
 * Code's, whose messages are Gemini's contents.
 */
#include "extract/api/gemini_content.h"
#include "extract/format/log_format.h"

/* Members of a record, in the order in which they are written. */
enum {
	UUID,
	PARENT,
	SESSION,
	TIMESTAMP,
	TYPE,
	SUBTYPE,
	CWD,
	PROGRAM,
	BRANCH,
	MODEL,
	PAYLOAD,
	MESSAGE,
	USAGE,
	TOOL_RESULT,
	PROVENANCE,
	IS_SIDECHAIN,
	AGENT,
	FORKED_FROM,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[UUID] = STR_CONST("uuid"),
	[PARENT] = STR_CONST("parentUuid"),
	[SESSION] = STR_CONST("sessionId"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[TYPE] = STR_CONST("type"),
	[SUBTYPE] = STR_CONST("subtype"),
	[CWD] = STR_CONST("cwd"),
	[PROGRAM] = STR_CONST("version"),
	[BRANCH] = STR_CONST("gitBranch"),
	[MODEL] = STR_CONST("model"),
	[PAYLOAD] = STR_CONST("systemPayload"),
	[MESSAGE] = STR_CONST("message"),
	[USAGE] = STR_CONST("usageMetadata"),
	[TOOL_RESULT] = STR_CONST("toolCallResult"),
	[PROVENANCE] = STR_CONST("provenance"),
	[IS_SIDECHAIN] = STR_CONST("isSidechain"),
	[AGENT] = STR_CONST("agentId"),
	[FORKED_FROM] = STR_CONST("forkedFrom"),
};

/* A text as the user typed it, where files that it names were inserted: the
 * next record has both. */
struct typed {
	struct str text, record; /* bodies */
};

static int
score(const struct json *r)
{
	if (json_get(r, "uuid") == NULL || json_get(r, "sessionId") == NULL)
		return 0;
	return gemini_content_is(json_get(r, "message")) ||
		json_get(r, "systemPayload") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_result(struct builder *b, const struct json *const *m)
{
	const struct json *more = m[TOOL_RESULT];
	const struct json *status = json_get(more, "status");

	gemini_content_read(b, m[MESSAGE], false);
	if (status == NULL)
		return;
	builder_result(b, .id = json_get(more, "callId"),
	    .is_error = builder_bool(!json_str_is(status, "success")));
}

static void
read_answer(struct builder *b, const struct json *const *m)
{
	struct usage u = { 0 };

	builder_error(b, NULL);
	gemini_content_read(b, m[MESSAGE], false);
	builder_model(b, m[MODEL]);
	gemini_usage_read(&u, m[USAGE]);
	builder_usage(b, json_raw(m[UUID]), &u, false);
}

/* Returns whether the program itself wrote this: notices, scheduled texts, or
 * reminders of the model's goal. */
static bool
is_own(const struct json *const *m)
{
	const struct json *by = m[PROVENANCE];

	return json_str_is(m[SUBTYPE], "notification") ||
	    json_str_is(m[SUBTYPE], "cron") ||
	    (by != NULL && by->type != JSON_NULL &&
		!json_str_is(by, "real_user"));
}

static void
read_user(struct log *log, const struct json *const *m)
{
	const struct json *shown = json_get(m[PAYLOAD], "displayText");
	const struct typed *typed = log->state;
	struct builder *b = log->builder;

	if (is_own(m))
		return;
	if (json_raw(shown).n != 0)
		builder_prompt(b, shown);
	else if (typed != NULL && typed->text.n != 0 &&
	    str_eq(typed->record, json_raw(m[PARENT])))
		builder_prompt_body(b, typed->text);
	else
		gemini_content_read(b, m[MESSAGE], false);
}

static void
note_typed(struct log *log, const struct json *const *m)
{
	struct typed *typed = log->state;

	if (typed == NULL)
		log->state = typed = arena_new(log->arena, struct typed);
	typed->text = copy_body(log->arena, json_get(m[PAYLOAD], "userText"));
	typed->record = copy_body(log->arena, m[UUID]);
}

/* Reads a record of the system. An error counts only if no answer follows
 * it. */
static void
read_system(struct log *log, const struct json *const *m)
{
	const struct json *payload = m[PAYLOAD];
	const struct json *event = json_get(payload, "uiEvent");
	struct builder *b = log->builder;

	if (json_str_is(m[SUBTYPE], "at_command"))
		note_typed(log, m);
	else if (json_str_is(m[SUBTYPE], "custom_title"))
		builder_meta(b, "title", json_get(payload, "customTitle"));
	else if (field_is(event, "event.name", "qwen-code.api_error") &&
	    field_find(event, "subagent_name") == NULL)
		builder_error(b, field_find(event, "error_message error"));
	else if (!json_str_is(m[SUBTYPE], "turn_result"))
		return;
	else if (field_is(payload, "state", "error"))
		builder_error(b, json_get(payload, "error"));
	else if (field_is(payload, "state", "cancelled"))
		builder_meta(b, "interrupted", json_get(payload, "state"));
}

static void
read_about(struct builder *b, const struct json *const *m)
{
	builder_meta(b, "cwd", m[CWD]);
	builder_meta(b, "branch", m[BRANCH]);
	builder_meta(b, "version", m[PROGRAM]);
	builder_meta(b, "forked_from", json_get(m[FORKED_FROM], "sessionId"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS];
	bool side;

	json_pick(r, members, MEMBERS, m);
	side = json_is(m[IS_SIDECHAIN], JSON_TRUE);
	if (m[UUID] == NULL)
		return;
	log_run(log, m[SESSION]);
	builder_locate(b, .ts = m[TIMESTAMP], .sidechain = side,
	    .agent = side ? m[AGENT] : NULL, .replay = m[FORKED_FROM] != NULL,
	    .node = m[UUID], .after = m[PARENT], .content = m[MESSAGE]);
	read_about(b, m);
	if (json_str_is(m[TYPE], "system"))
		read_system(log, m);
	else if (json_str_is(m[TYPE], "tool_result"))
		read_result(b, m);
	else if (json_str_is(m[TYPE], "assistant"))
		read_answer(b, m);
	else
		read_user(log, m);
}

const struct log_format log_format_qwen = {
	.name = "qwen",
	.what = "Qwen Code: session files",
	.score = score,
	.signs = "uuid",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
