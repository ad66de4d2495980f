/*
 * MCPLab's results.json: {"metadata", "scenarios": [{"scenario_id", "agent",
 * "runs": [{"final_text", "tool_sequence", "tool_durations_ms"}]}]}. It has
 * whole answers, which trace.jsonl cuts, but only the names of calls.
 */
#include "extract/format/log_rows.h"

/* Reads the calls. Their names and their durations are two lists of one length;
 * a call that has only a duration has no name. */
static void
read_calls(struct builder *b, const struct json *run)
{
	const struct json *names = field_find(run, "tool_sequence tool_calls");
	const struct json *durations = json_get(run, "tool_durations_ms");
	const struct json *duration = json_first(durations);

	for (json_each(name, names)) {
		builder_call(b, .tool = name, .duration = duration);
		if (duration != NULL)
			duration = json_next(durations, duration);
	}
	for (; duration != NULL; duration = json_next(durations, duration))
		builder_call(b, .duration = duration);
	if (!json_is(names, JSON_ARRAY))
		builder_no_calls(b);
}

static bool
is_about_calls(struct str type)
{
	return str_is(type, "required_tool") ||
	    str_is(type, "forbidden_tool") || str_is(type, "tool_sequence") ||
	    str_starts(type, "tool_input_");
}

/* Returns whether MCPLab did not observe the calls: the run broke off, or
 * checks of calls do not apply to it. The lists of calls are empty then,
 * whatever the run did. */
static bool
lacks_calls(const struct json *run)
{
	if (json_raw(json_get(run, "error")).n != 0)
		return true;
	if (json_count(json_get(run, "tool_sequence")) != 0)
		return false;
	for (json_each(check, json_get(run, "check_results"))) {
		struct str status = json_raw(json_get(check, "status"));

		if (is_about_calls(json_raw(json_get(check, "type"))) &&
		    (str_is(status, "not_applicable") ||
			str_is(status, "not_evaluated") ||
			str_is(status, "not_executed")))
			return true;
	}
	return false;
}

static void
read_run(struct log *log, const struct json *results,
    const struct json *scenario, const struct json *run)
{
	struct builder *b = log->builder;
	const struct json *error = json_get(run, "error");

	log_source(log, run);
	builder_begin_run(b);
	builder_set(b, RUN_GROUP, json_path(results, "metadata.run_id"));
	builder_set(b, RUN_SCENARIO, json_get(scenario, "scenario_id"));
	builder_set(b, RUN_INDEX, json_get(run, "run_index"));
	builder_set(b, RUN_AGENT, json_get(scenario, "agent"));
	builder_set(b, RUN_PROVIDER, json_get(scenario, "provider"));
	builder_error(b, error);
	builder_model(b, json_get(scenario, "model"));
	builder_meta(b, "request_id", json_get(run, "request_id"));
	builder_meta(b, "pass", json_get(run, "pass"));
	builder_meta(
	    b, "evaluation_status", json_get(run, "evaluation_status"));
	if (json_is(json_path(results, "metadata.checks_skipped"), JSON_TRUE))
		builder_meta(b, "checks_skipped",
		    json_path(results, "metadata.checks_skipped"));
	builder_meta(b, "extracted", json_get(run, "extracted"));
	builder_meta(b, "note", json_path(results, "metadata.run_note"));
	builder_meta(b, "commit", json_path(results, "metadata.git_commit"));
	builder_meta(
	    b, "servers", json_path(results, "metadata.mcp_server_versions"));
	read_calls(b, run);
	builder_text(b, json_get(run, "final_text"));
	if (lacks_calls(run))
		builder_no_calls(b);
	if (json_raw(error).n == 0)
		builder_set(b, RUN_FINAL, json_get(run, "final_text"));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	for (json_each(scenario, json_get(r, "scenarios")))
		for (json_each(run, json_get(scenario, "runs")))
			read_run(log, r, scenario, run);
}

static const struct log_row rows[] = {
	LOG_ROW("scenarios=[", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_mcplab_results = {
	.name = "mcplab-results",
	.what = "MCPLab results.json: full answers, names of called tools",
	.sure = "scenarios=[ metadata.run_id, "
		"scenarios.0.scenario_id scenarios.0.runs=[",
	.lists = "scenarios",
	.head = "metadata",
	.rows = rows,
	.knows_blocks = true, /* what a test expects is no call */
};
