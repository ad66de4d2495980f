/*
 * MCPLab's results.json: {"metadata", "scenarios": [{"scenario_id", "agent",
 * "runs": [{"final_text", "tool_sequence", "tool_durations_ms"}]}]}. It has
 * whole answers, which trace.jsonl cuts, but only the names of calls.
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	return json_path(r, "metadata.run_id") != NULL &&
		json_is(json_get(r, "scenarios"), JSON_ARRAY)
	    ? LOG_FORMAT_SURE
	    : 0;
}

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
	builder_meta(b, "extracted", json_get(run, "extracted"));
	builder_meta(b, "note", json_path(results, "metadata.run_note"));
	builder_meta(b, "commit", json_path(results, "metadata.git_commit"));
	builder_meta(
	    b, "servers", json_path(results, "metadata.mcp_server_versions"));
	read_calls(b, run);
	builder_text(b, json_get(run, "final_text"));
	/* The lists of a run that broke off are empty, whatever the run did. */
	if (json_raw(error).n != 0)
		builder_no_calls(b);
	else
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

const struct log_format log_format_mcplab_results = {
	.name = "mcplab-results",
	.what = "MCPLab results.json: full answers, names of called tools",
	.score = score,
	.read = read_record,
};
