/*
 * ATIF, the Agent Trajectory Interchange Format of the framework Harbor: one
 * object, {"schema_version": "ATIF-v1.7", "agent", "steps": [{"source": "user",
 * "message"}, {"source": "agent", "message", "tool_calls", "observation",
 * "metrics"}], "final_metrics"}, which also holds the trajectories of
 * sub-agents. The result.json of a trial of Harbor says what became of the run whose
 * trajectory is agent/trajectory.json beside it.
 */
#include <unistd.h>

#include "base/hash.h"
#include "extract/format/log_rows.h"
#include "extract/format/subagent_files.h"
#include "extract/format/unread.h"
#include "io/slurp.h"

#define TRAJECTORY "schema_version=ATIF-*"
#define TRIAL "trial_name task_name agent_info.name"
#define OF_TRIAL "agent/trajectory.json"

enum { RESULT_MAX = 1 << 24 }; /* bytes */

/* The result of a trial, until its trajectory is read. */
struct trial {
	const struct json *result; /* NULL: none waits */
	struct place at;
};

/* Returns the set of the call ids that the results name. */
static struct hash_table
named_in(struct arena *a, const struct json *results)
{
	struct hash_table named = { .arena = a };

	for (json_each(result, results)) {
		struct str id = json_raw(json_get(result, "source_call_id"));

		if (id.n != 0)
			*hash_put(&named, id) = a;
	}
	return named;
}

/* Returns the first call, from `call` on, that no result names; NULL: none. */
static const struct json *
unnamed_call(const struct json *calls, const struct json *call,
    const struct hash_table *named)
{
	while (call != NULL &&
	    hash_get(named, json_raw(json_get(call, "tool_call_id"))) != NULL)
		call = json_next(calls, call);
	return call;
}

static void
read_results(struct log *log, const struct json *step)
{
	const struct json *results = json_path(step, "observation.results");
	const struct json *calls = json_get(step, "tool_calls");
	const struct json *call = json_first(calls);
	struct hash_table named = named_in(log->scratch, results);

	for (json_each(result, call == NULL ? NULL : results)) {
		const struct json *id = field_find(result, "source_call_id");
		const struct json *agent =
		    json_at(json_get(result, "subagent_trajectory_ref"), 0);

		/* Results that name no call belong to the remaining calls, in
		 * order. */
		if (id == NULL) {
			call = unnamed_call(calls, call, &named);
			if (call == NULL)
				/* It belongs to no call: it is no result. */
				continue;
			id = json_get(call, "tool_call_id");
			call = json_next(calls, call);
		}
		builder_result(log->builder, .id = id,
		    .value = json_get(result, "content"),
		    .agent = field_find(agent, "trajectory_id session_id"));
	}
}

static struct usage
usage_of_metrics(const struct json *m, const char *in, const char *out,
    const char *cached, const char *cost)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_CACHE_READ, json_get(m, str_of(cached)));
	usage_input_with_cache(&u, json_get(m, str_of(in)));
	usage_read(&u, USAGE_OUTPUT, json_get(m, str_of(out)));
	usage_read(&u, USAGE_COST, json_get(m, str_of(cost)));
	return u;
}

/* Reads a step of the agent. Returns the kinds of usage that the step logs, a
 * bit for each. */
static unsigned
read_agent(struct log *log, const struct json *step)
{
	struct builder *b = log->builder;
	const struct json *calls = field_find(step, "llm_call_count");
	struct usage u = usage_of_metrics(json_get(step, "metrics"),
	    "prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd");

	builder_model(b, json_get(step, "model_name"));
	/* A step may be of several calls of the model, or of none. */
	if (calls == NULL || json_double(calls) == 1)
		builder_message(b);
	builder_text_blocks(b, json_get(step, "message"));
	for (json_each(call, json_get(step, "tool_calls")))
		builder_call(b, .id = json_get(call, "tool_call_id"),
		    .tool = json_get(call, "function_name"),
		    .args = json_get(call, "arguments"), .decode = true);
	read_results(log, step);
	usage_read(&u, USAGE_LLM_CALLS, calls);
	builder_usage(b, (struct str){ 0 }, &u, false);
	return u.known;
}

static bool
is_copied(const struct json *step)
{
	return json_is(json_get(step, "is_copied_context"), JSON_TRUE);
}

/* Reads the steps of a trajectory, or of a sub-agent's (side). Returns the
 * kinds of usage that any step logs; all kinds if the trajectory continues
 * another one, since its final counts would include those of the other. */
static unsigned
read_steps(struct log *log, const struct json *r, bool side)
{
	struct builder *b = log->builder;
	unsigned logged = 0;

	for (json_each(step, json_get(r, "steps"))) {
		const struct json *source = json_get(step, "source");

		builder_locate(b, .ts = json_get(step, "timestamp"),
		    .agent =
			side ? field_find(r, "trajectory_id session_id") : NULL,
		    .name = side ? json_path(r, "agent.name") : NULL,
		    /* A continuation repeats the steps that it continues. */
		    .replay = is_copied(step));
		if (json_str_is(source, "user"))
			builder_prompt(b, json_get(step, "message"));
		else if (json_str_is(source, "agent"))
			logged |= read_agent(log, step);
		else if (json_str_is(source, "system"))
			builder_system_message(b, json_get(step, "message"));
		else
			log_unread(log, step);
		if (is_copied(step))
			logged = ~0U;
	}
	return logged;
}

/* ---- trials ---- */

/* Reads what the result says about the run, and returns the usage. */
static struct usage
read_about(struct builder *b, const struct json *r)
{
	const struct json *agent = json_get(r, "agent_info");

	builder_set(b, RUN_SCENARIO, json_get(r, "task_name"));
	builder_set_first(b, RUN_AGENT, json_get(agent, "name"));
	builder_set_first(
	    b, RUN_PROVIDER, json_path(agent, "model_info.provider"));
	builder_meta(b, "trial", json_get(r, "trial_name"));
	builder_meta(
	    b, "reward", json_path(r, "verifier_result.rewards.reward"));
	builder_error(b,
	    field_find(r,
		"exception_info.exception_message "
		"exception_info.exception_type"));
	return usage_of_metrics(json_get(r, "agent_result"), "n_input_tokens",
	    "n_output_tokens", "n_cache_tokens", "cost_usd");
}

/* Ends the run of a result whose trajectory is not there. */
static void
end_trial(struct log *log)
{
	struct trial *trial = log->state;
	const struct json *r = trial->result;
	struct builder *b = log->builder;
	struct usage u;

	if (r == NULL)
		return;
	trial->result = NULL;
	builder_source(b, trial->at.file, trial->at.line);
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_locate(b, .ts = json_path(r, "agent_execution.started_at"));
	u = read_about(b, r);
	builder_model(b, json_path(r, "agent_info.model_info.name"));
	builder_meta(b, "version", json_path(r, "agent_info.version"));
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
	builder_unread(b, STR(OF_TRIAL), RUN_LOST_CALL | RUN_LOST_TEXT);
	builder_end_run(b);
}

static void
await(struct log *log, const struct json *r)
{
	struct trial *trial = log->state;

	end_trial(log);
	trial->result = copy_tree(log->arena, r);
	trial->at = log->at;
}

/* Returns the path of the trajectory that the result at this path belongs to. */
static char *
trajectory_of(struct log *log, const char *path)
{
	return str_c(log->arena,
	    str_cat(log->arena, subagent_files_folder(path), STR(OF_TRIAL)));
}

static char **
files_beside(struct log *log)
{
	char **files = arena_new_n(log->arena, char *, 2);
	char *path = trajectory_of(log, log->path);
	const struct trial *trial = log->state;

	if (trial != NULL && trial->result != NULL && access(path, R_OK) == 0)
		files[0] = path;
	return files;
}

static const char *
file_owner(struct log *log, const struct json *record)
{
	struct str folder = str_of(log->path), text;
	const char *path;

	if ((!str_ends(folder, "/" OF_TRIAL) && !str_is(folder, OF_TRIAL)) ||
	    !log_rows_holds(TRAJECTORY, record))
		return NULL;
	folder.n -= strlen(OF_TRIAL);
	path =
	    str_c(log->arena, str_cat(log->arena, folder, STR("result.json")));
	return slurp_file(log->scratch, path, RESULT_MAX, &text) &&
		str_contains(text, "\"trial_name\"")
	    ? path
	    : NULL;
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *agent = json_get(r, "agent");
	struct usage u = usage_of_metrics(json_get(r, "final_metrics"),
			 "total_prompt_tokens", "total_completion_tokens",
			 "total_cached_tokens", "total_cost_usd"),
		     of_trial;
	struct trial *trial = log->state;
	unsigned logged;

	builder_begin_run(b);
	if (trial->result != NULL) {
		of_trial = read_about(b, trial->result);
		u = u.known == 0 ? of_trial : u;
		trial->result = NULL;
	}
	builder_set(b, RUN_ID, field_find(r, "session_id trajectory_id"));
	builder_set(b, RUN_AGENT, json_get(agent, "name"));
	builder_model(b, json_get(agent, "model_name"));
	builder_meta(b, "version", json_get(agent, "version"));
	builder_meta(b, "notes", json_get(r, "notes"));
	logged = read_steps(log, r, false);
	/* If steps log tokens, the cost may be logged only at the end. */
	u.known &= logged == 0 ? ~0U : 1U << USAGE_COST & ~logged;
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
	for (json_each(sub, json_get(r, "subagent_trajectories")))
		read_steps(log, sub, true);
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW(TRAJECTORY, LOG_HOOK, .read = read_record),
	LOG_ROW(TRIAL, LOG_HOOK, .read = await),
	LOG_LAST,
};

const struct log_format log_format_atif = {
	.name = "atif",
	.what = "ATIF: trajectories; Harbor: results of trials",
	.sure = TRAJECTORY ", " TRIAL,
	.rows = rows,
	.state = sizeof(struct trial),
	.knows_blocks = true,
	.end = end_trial,
	.beside = files_beside,
	.owner = file_owner,
};
