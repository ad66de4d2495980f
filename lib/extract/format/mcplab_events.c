/*
 * MCPLab's trace.jsonl, version 1, one event a line: run_started,
 * scenario_started, llm_request, llm_response, tool_call, tool_result,
 * final_answer, scenario_finished. The prompt is logged only in the summary of
 * a request, and may be cut there.
 */
#include "extract/format/log_format.h"
#include "lang/js.h"

enum { SUMMARY_MAX = 120 }; /* UTF-16 units of a message in a summary */

static int
score(const struct json *r)
{
	const struct json *type = json_get(r, "type");

	if (json_str_is(type, "run_started") && json_get(r, "run_id") != NULL)
		return LOG_FORMAT_SURE;
	if (json_str_is(type, "scenario_started") ||
	    json_str_is(type, "scenario_finished"))
		return json_get(r, "scenario_id") != NULL ? LOG_FORMAT_SURE : 0;
	return json_str_is(type, "llm_request") &&
		json_get(r, "messages_summary") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Reads the prompt, which is logged only at the begin of a request's summary:
 * "system:TEXT | user:TEXT", without the first part if there was no system
 * text. */
static void
read_prompt(struct builder *b, const struct json *summary)
{
	struct str text = json_raw(summary);

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
	builder_set_broken(b, true); /* until its end is read */
}

static void
finish(struct builder *b, const struct json *r)
{
	builder_set_times(b, NULL, json_get(r, "ts"));
	builder_set_broken(b, false);
	builder_meta(b, "pass", json_get(r, "pass"));
	builder_end_run(b);
}

static void
read_call(struct builder *b, const struct json *r)
{
	builder_locate(b, .ts = json_get(r, "ts_start"));
	builder_call(b, .tool = json_get(r, "tool"),
	    .server = json_get(r, "server"), .args = json_get(r, "args"),
	    .null_too = true);
}

static void
read_result(struct builder *b, const struct json *r)
{
	builder_locate(b, .ts = json_get(r, "ts_end"));
	builder_result(b, .tool = json_get(r, "tool"),
	    .server = json_get(r, "server"),
	    .value = json_get(r, "result_summary"), .ok = json_get(r, "ok"),
	    .duration = json_get(r, "duration_ms"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct str type = json_raw(json_get(r, "type"));

	if (str_is(type, "run_started"))
		log->id = copy_body(log->arena, json_get(r, "run_id"));
	else if (str_is(type, "scenario_started"))
		start(log, r);
	else if (str_is(type, "scenario_finished"))
		finish(b, r);
	else if (str_is(type, "tool_call"))
		read_call(b, r);
	else if (str_is(type, "tool_result"))
		read_result(b, r);
	else if (!str_is(type, "llm_request") &&
	    !str_is(type, "llm_response") && !str_is(type, "final_answer"))
		return;
	else
		builder_locate(b, .ts = json_get(r, "ts"));
	if (str_is(type, "llm_request") && !builder_has_prompt(b))
		read_prompt(b, json_get(r, "messages_summary"));
	if (str_is(type, "llm_response"))
		builder_llm_call(b, (struct str){ 0 });
	if (str_is(type, "final_answer")) {
		builder_text(b, json_get(r, "text"));
		builder_set(b, RUN_FINAL, json_get(r, "text"));
	}
}

const struct log_format log_format_mcplab_events = {
	.name = "mcplab-events",
	.what = "MCPLab trace.jsonl, first version: one line per event",
	.score = score,
	.signs = "type=run_started type=scenario_started "
		 "type=scenario_finished type=llm_request",
	.read = read_record,
};
