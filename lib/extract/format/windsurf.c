/*
 * Transcripts that the editor Windsurf keeps of its agent Cascade, one step a
 * line: {"type": "run_command", "status": "done", "run_command": {...}}. The
 * member with the type's name holds the step. A step without any text of user
 * or agent is a call, with its result.
 */
#include "extract/format/log_rows.h"

static const struct json *
step_of(const struct json *r)
{
	const struct json *type = json_get(r, "type");

	return json_raw(type).n == 0 ? NULL : json_get(r, json_raw(type));
}

static int
score(const struct json *r)
{
	return json_is(step_of(r), JSON_OBJECT) && json_get(r, "status") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Returns whether the call failed; NULL if it is not over. */
static const struct json *
failed(const struct json *r, const struct json *step)
{
	const struct json *code = json_get(step, "exit_code");

	if (field_is(r, "status", "error") ||
	    json_is(json_get(step, "user_rejected"), JSON_TRUE))
		return builder_bool(true);
	if (!field_is(r, "status", "done"))
		return NULL;
	return builder_bool(
	    json_is(code, JSON_NUMBER) && json_double(code) != 0);
}

static void
read_call(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *step = step_of(r);
	const struct json *is_error = failed(r, step);

	builder_call(b, .tool = json_get(r, "type"),
	    .server = json_get(step, "server_name"), .args = step,
	    .ended = true);
	if (is_error != NULL)
		builder_result(b, .last = true,
		    .value = field_find(step, "output content result"),
		    .is_error = is_error);
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_LOCATE),
	LOG_ROW(
	    "type=user_input", LOG_PROMPT, .of = "user_input.user_response"),
	LOG_ROW("type=planner_response", LOG_TEXT,
	    .of = "planner_response.response"),
	LOG_ROW(
	    "type=error_message|system_message|ephemeral_message|checkpoint",
	    LOG_NOTHING),
	LOG_ROW("status else", LOG_HOOK, .read = read_call),
	LOG_LAST,
};

const struct log_format log_format_windsurf = {
	.name = "windsurf",
	.what = "Windsurf: Cascade transcripts",
	.score = score,
	.asked = "status",
	.rows = rows,
};
