/*
 * Episodes of assay (formerly named verdict), one event a line: episode_start
 * with the prompt, step with a model's text, tool_call with arguments and
 * result, episode_end. Assay's recorders write them, and so does its import of
 * MCP sessions.
 */
#include "extract/format/log_rows.h"

/* Notes whether the episode is an imported MCP session, which has no prompt and no
 * answer. */
static void
note_source(struct log *log, const struct json *source)
{
	log->state = json_str_is(source, "mcp_import") ? log : NULL;
}

static void
read_answer(struct log *log, const struct json *r)
{
	if (log->state == NULL)
		builder_set(
		    log->builder, RUN_FINAL, json_get(r, "final_output"));
}

static const struct log_row rows[] = {
	LOG_ROW("type=episode_start", LOG_BEGIN, .of = "episode_id"),
	LOG_ROW("type=episode_start", LOG_HOOK, .of = "meta.source",
	    .read = note_source),
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("type=episode_start !meta.source=mcp_import", LOG_PROMPT,
	    .of = "input.prompt"),
	LOG_ROW("type=episode_start", LOG_NOTHING),
	LOG_ROW("type=step kind=model|llm", LOG_TEXT, .of = "content"),
	LOG_ROW("type=step kind=tool", LOG_NOTHING), /* the call follows */
	LOG_ROW("type=tool_call", LOG_CALL, .tool = "tool_name", .args = "args",
	    .result = "error result", .failed = "error, result.isError=true"),
	LOG_ROW("type=episode_end", LOG_HOOK, .read = read_answer),
	LOG_ROW("type=episode_end", LOG_END),
	LOG_LAST,
};

const struct log_format log_format_assay = {
	.name = "assay",
	.what = "assay (formerly verdict): episodes",
	.sure = "episode_id type=episode_start|step|tool_call|episode_end",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
};
