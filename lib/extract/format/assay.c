/*
 * Episodes of assay (formerly named verdict), one event a line: episode_start
 * with the prompt, step with a model's text, tool_call with arguments and
 * result, episode_end. Assay's recorders write them, and so does its import of
 * MCP sessions.
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	return json_get(r, "episode_id") != NULL &&
		field_is_type(r, "episode_start step tool_call episode_end")
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Returns whether the episode is an imported MCP session, which has no prompt
 * and no answer. */
static bool
is_imported(const struct log *log)
{
	return log->state != NULL;
}

static void
read_start(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	log->state =
	    json_str_is(json_path(r, "meta.source"), "mcp_import") ? log : NULL;
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "episode_id"));
	builder_locate(b, .ts = json_get(r, "timestamp"));
	if (!is_imported(log))
		builder_prompt(b, json_path(r, "input.prompt"));
}

static void
read_call(struct builder *b, const struct json *r)
{
	const struct json *error = field_find(r, "error");
	const struct json *result = field_find(r, "result");

	builder_call(
	    b, .tool = json_get(r, "tool_name"), .args = field_find(r, "args"));
	if (result == NULL && error == NULL)
		return;
	builder_result(b, .value = error != NULL ? error : result,
	    .is_error = builder_bool(error != NULL ||
		json_is(json_get(result, "isError"), JSON_TRUE)));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (field_is_type(r, "episode_start"))
		read_start(log, r);
	builder_locate(b, .ts = json_get(r, "timestamp"));
	if (field_is_type(r, "tool_call")) {
		read_call(b, r);
	} else if (field_is_type(r, "step")) {
		if (field_is(r, "kind", "model llm"))
			builder_text(b, json_get(r, "content"));
	} else if (field_is_type(r, "episode_end")) {
		if (!is_imported(log))
			builder_set(b, RUN_FINAL, json_get(r, "final_output"));
		builder_end_run(b);
	}
}

const struct log_format log_format_assay = {
	.name = "assay",
	.what = "assay (formerly verdict): episodes",
	.score = score,
	.signs = "episode_id",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
