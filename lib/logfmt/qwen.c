/*
 * Qwen Code's session files: a tree of records as in Claude Code's, with
 * Gemini's contents for messages.
 */
#include "../gemini_content.h"
#include "../logfmt.h"

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

	if (status == NULL)
		return;
	builder_result(b,
	    &(struct builder_result){
		.id = json_get(more, STR("callId")),
		.is_error = builder_bool(!json_str_is(status, STR("success"))),
	    });
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *message = json_get(r, STR("message"));
	struct usage u = { 0 };

	if (json_get(r, STR("uuid")) == NULL)
		return;
	builder_at(b,
	    &(struct builder_at){
		.ts = json_get(r, STR("timestamp")),
		.node = json_get(r, STR("uuid")),
		.after = json_get(r, STR("parentUuid")),
		.content = message,
	    });
	builder_set(b, RUN_ID, json_get(r, STR("sessionId")));
	builder_meta(b, "cwd", json_get(r, STR("cwd")));
	builder_meta(b, "branch", json_get(r, STR("gitBranch")));
	builder_meta(b, "version", json_get(r, STR("version")));
	if (log_is_type(r, "system"))
		return;
	gemini_content_read(b, message, false);
	if (log_is_type(r, "tool_result"))
		read_result(b, r);
	if (!log_is_type(r, "assistant"))
		return;
	builder_model(b, json_get(r, STR("model")));
	gemini_usage_read(&u, json_get(r, STR("usageMetadata")));
	builder_usage(b, json_raw(json_get(r, STR("uuid"))), &u, false);
}

const struct logfmt logfmt_qwen = {
	.name = "qwen",
	.what = "Qwen Code session files",
	.score = score,
	.read = read_record,
};
