/*
 * MCPLab's trace.jsonl, version 1, one event a line: run_started,
 * scenario_started, llm_request, llm_response, tool_call, tool_result,
 * final_answer, scenario_finished. The prompt is logged only in the summary of
 * a request, and may be cut there.
 */
#include "emulate/lang/js.h"
#include "extract/format/log_rows.h"

enum { SUMMARY_MAX = 120 }; /* UTF-16 units of a message in a summary */

/* Reads the prompt, which is logged only at the begin of a request's summary:
 * "system:TEXT | user:TEXT", without the first part if there was no system
 * text. */
static void
read_prompt(struct log *log, const struct json *summary)
{
	struct builder *b = log->builder;
	struct str text = json_raw(summary);

	if (builder_has_prompt(b))
		return;
	if (!str_starts(text, "user:"))
		text = str_from(text, str_find(text, " | user:") + 3);
	if (!str_starts(text, "user:"))
		return;
	text = str_from(text, 5);
	builder_prompt_body(b, text);
	if (str_ends(text, "...") && js_length(text) == SUMMARY_MAX + 3)
		builder_mark_cut(b);
}

static void
note_run(struct log *log, const struct json *id)
{
	log->id = copy_body(log->arena, id);
}

static void
start(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	if (log->id.s != NULL)
		builder_set_body(b, RUN_GROUP, log->id);
	builder_set(b, RUN_SCENARIO, json_get(r, "scenario_id"));
	builder_set(b, RUN_AGENT, json_get(r, "agent"));
	builder_number_run(b);
	builder_set_times(b, json_get(r, "ts"), NULL);
	*(struct str *)log->state = (struct str){ 0 };
}

/* Notes an answer of the model, whose calls follow, each with its result. */
static void
note_answer(struct log *log, const struct json *r)
{
	(void)r;
	*(struct str *)log->state = builder_usage_key(log->builder);
}

static void
name_message(struct log *log, const struct json *r)
{
	(void)r;
	builder_message_named(
	    log->builder, builder_str(log->builder, *(struct str *)log->state));
}

static void
read_call(struct log *log, const struct json *r)
{
	builder_call(log->builder, .tool = json_get(r, "tool"),
	    .server = json_get(r, "server"), .args = json_get(r, "args"),
	    .null_too = true);
}

static const struct log_row rows[] = {
	LOG_ROW("type=run_started", LOG_HOOK, .of = "run_id", .read = note_run),
	LOG_ROW("type=scenario_started", LOG_HOOK, .read = start),
	LOG_ROW("type=scenario_started", LOG_OPEN),
	LOG_ROW("type=scenario_finished", LOG_ENDED, .of = "ts"),
	LOG_ROW("type=scenario_finished", LOG_CLOSED),
	LOG_ROW(
	    "type=scenario_finished", LOG_META, .of = "pass", .name = "pass"),
	LOG_ROW("type=scenario_finished", LOG_END),
	LOG_ROW("type=tool_call", LOG_LOCATE, .of = "ts_start"),
	LOG_ROW("type=tool_call", LOG_HOOK, .read = name_message),
	LOG_ROW("type=tool_call", LOG_HOOK, .read = read_call),
	LOG_ROW("type=tool_result", LOG_LOCATE, .of = "ts_end"),
	LOG_ROW("type=tool_result", LOG_RESULT, .tool = "tool",
	    .server = "server", .result = "result_summary", .ok = "ok",
	    .duration = "duration_ms"),
	LOG_ROW("type=llm_request|llm_response|final_answer", LOG_LOCATE,
	    .of = "ts"),
	LOG_ROW("type=llm_request", LOG_HOOK, .of = "messages_summary",
	    .read = read_prompt),
	LOG_ROW("type=llm_response", LOG_REQUEST),
	LOG_ROW("type=llm_response", LOG_HOOK, .read = note_answer),
	LOG_ROW("type=final_answer", LOG_HOOK, .read = name_message),
	LOG_ROW("type=final_answer", LOG_TEXT, .of = "text"),
	LOG_ROW(
	    "type=final_answer", LOG_SET, .of = "text", .member = RUN_FINAL),
	LOG_LAST,
};

const struct log_format log_format_mcplab_events = {
	.name = "mcplab-events",
	.what = "MCPLab trace.jsonl, first version: one line per event",
	.sure = "type=run_started run_id, "
		"type=scenario_started|scenario_finished scenario_id, "
		"type=llm_request messages_summary",
	.rows = rows,
	.state = sizeof(struct str), /* the key of the model's last answer */
	.unidentified = UNIDENTIFIED_IN_ORDER,
};
