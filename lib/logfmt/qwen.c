/*
 * Qwen Code's session files: a tree of records as in Claude Code's, with
 * Gemini's contents for messages.
 */
#include "../gemini_content.h"
#include "../logfmt.h"

/* What the user typed, where files that it names were put in: the record after
 * it has both. */
struct typed {
	struct str text, record; /* bodies */
};

static int
score(const struct json *r)
{
	if (json_get(r, STR("uuid")) == NULL ||
	    json_get(r, STR("sessionId")) == NULL)
		return 0;
	return gemini_content_is(json_get(r, STR("message"))) ||
		json_get(r, STR("systemPayload")) != NULL
	    ? LOGFMT_SURE
	    : 0;
}

static void
read_result(struct builder *b, const struct json *r)
{
	const struct json *more = json_get(r, STR("toolCallResult"));
	const struct json *status = json_get(more, STR("status"));

	gemini_content_read(b, json_get(r, STR("message")), false);
	if (status == NULL)
		return;
	builder_result(b,
	    &(struct builder_result){
		.id = json_get(more, STR("callId")),
		.is_error = builder_bool(!json_str_is(status, STR("success"))),
	    });
}

static void
read_answer(struct builder *b, const struct json *r)
{
	struct usage u = { 0 };

	builder_error(b, NULL);
	gemini_content_read(b, json_get(r, STR("message")), false);
	builder_model(b, json_get(r, STR("model")));
	gemini_usage_read(&u, json_get(r, STR("usageMetadata")));
	builder_usage(b, json_raw(json_get(r, STR("uuid"))), &u, false);
}

/* The program's own words: notices, what it says at a set time, or to keep the
 * model at a goal. */
static bool
is_own(const struct json *r)
{
	return log_is(r, "subtype", "notification cron") ||
	    (log_find(r, "provenance") != NULL &&
		!log_is(r, "provenance", "real_user"));
}

static void
read_user(struct log *log, const struct json *r)
{
	const struct json *shown = json_path(r, "systemPayload.displayText");
	const struct typed *typed = log->state;
	struct builder *b = log->builder;

	if (is_own(r))
		return;
	if (json_raw(shown).n != 0)
		builder_prompt(b, shown);
	else if (typed != NULL && typed->text.n != 0 &&
	    str_eq(typed->record, json_raw(json_get(r, STR("parentUuid")))))
		builder_prompt_body(b, typed->text);
	else
		gemini_content_read(b, json_get(r, STR("message")), false);
}

static void
note_typed(struct log *log, const struct json *r)
{
	struct typed *typed = log->state;

	if (typed == NULL)
		log->state = typed = arena_new(log->arena, struct typed);
	typed->text =
	    keep_body(log->arena, json_path(r, "systemPayload.userText"));
	typed->record = keep_body(log->arena, json_get(r, STR("uuid")));
}

/* What failed, if nothing came of it after all. */
static void
read_system(struct log *log, const struct json *r)
{
	const struct json *payload = json_get(r, STR("systemPayload"));
	const struct json *event = json_get(payload, STR("uiEvent"));
	struct builder *b = log->builder;

	if (log_is(r, "subtype", "at_command"))
		note_typed(log, r);
	else if (log_is(r, "subtype", "custom_title"))
		builder_meta(b, "title", json_get(payload, STR("customTitle")));
	else if (log_is(event, "event.name", "qwen-code.api_error") &&
	    log_find(event, "subagent_name") == NULL)
		builder_error(b, log_find(event, "error_message error"));
	else if (!log_is(r, "subtype", "turn_result"))
		return;
	else if (log_is(payload, "state", "error"))
		builder_error(b, json_get(payload, STR("error")));
	else if (log_is(payload, "state", "cancelled"))
		builder_meta(b, "interrupted", json_get(payload, STR("state")));
}

static void
read_about(struct builder *b, const struct json *r)
{
	builder_meta(b, "cwd", json_get(r, STR("cwd")));
	builder_meta(b, "branch", json_get(r, STR("gitBranch")));
	builder_meta(b, "version", json_get(r, STR("version")));
	builder_meta(b, "forked_from", json_path(r, "forkedFrom.sessionId"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	bool side = json_is(json_get(r, STR("isSidechain")), JSON_TRUE);

	if (json_get(r, STR("uuid")) == NULL)
		return;
	log_run(log, json_get(r, STR("sessionId")));
	builder_at(b,
	    &(struct builder_at){
		.ts = json_get(r, STR("timestamp")),
		.sidechain = side,
		.agent = side ? json_get(r, STR("agentId")) : NULL,
		.replay = json_get(r, STR("forkedFrom")) != NULL,
		.node = json_get(r, STR("uuid")),
		.after = json_get(r, STR("parentUuid")),
		.content = json_get(r, STR("message")),
	    });
	read_about(b, r);
	if (log_is_type(r, "system"))
		read_system(log, r);
	else if (log_is_type(r, "tool_result"))
		read_result(b, r);
	else if (log_is_type(r, "assistant"))
		read_answer(b, r);
	else
		read_user(log, r);
}

const struct logfmt logfmt_qwen = {
	.name = "qwen",
	.what = "Qwen Code session files",
	.score = score,
	.read = read_record,
};
