/*
 * Results of the benchmarks tau-bench and tau2-bench, many simulations in one
 * file: a list of {"task_id", "trial", "reward", "traj": MESSAGES}, and tau2's
 * {"info", "tasks", "simulations": [{"task_id", "trial", "messages"}]}. The
 * messages are OpenAI's, except that a call of tau2 has its name and arguments
 * itself, rather than in a function.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"

static const struct json *
runs_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : json_get(r, "simulations");
	const struct json *first = json_at(list, 0);

	/* Other lists of messages have a task_id, too, but neither a trial nor
	 * a reward. */
	return field_find(first, "traj messages") != NULL &&
		json_get(first, "task_id") != NULL &&
		field_find(first, "traj trial reward reward_info") != NULL
	    ? list
	    : NULL;
}

static int
score(const struct json *r)
{
	return runs_of(r) != NULL ||
		(json_get(r, "traj") != NULL && json_get(r, "task_id") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Members of tau2's messages. */
enum {
	ID,
	ROLE,
	CONTENT,
	REQUESTOR,
	TOOL_CALLS,
	ERROR,
	TIMESTAMP,
	COST,
	USAGE,
	TOOL_MESSAGES,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[ID] = STR_CONST("id"),
	[ROLE] = STR_CONST("role"),
	[CONTENT] = STR_CONST("content"),
	[REQUESTOR] = STR_CONST("requestor"),
	[TOOL_CALLS] = STR_CONST("tool_calls"),
	[ERROR] = STR_CONST("error"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[COST] = STR_CONST("cost"),
	[USAGE] = STR_CONST("usage"),
	[TOOL_MESSAGES] = STR_CONST("tool_messages"),
};

static void
read_assistant(struct builder *b, const struct json *const *m)
{
	struct usage u = { 0 };

	builder_text(b, m[CONTENT]);
	for (json_each(call, m[TOOL_CALLS]))
		openai_call_read(b, call);
	openai_usage_read(&u, m[USAGE]);
	usage_read(&u, USAGE_COST, m[COST]);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* Reads a result. The simulated user has tools too; the user's calls are not
 * the agent's and are skipped. */
static void
read_tool(struct builder *b, const struct json *const *m)
{
	for (json_each(v, m[TOOL_MESSAGES])) {
		const struct json *one[MEMBERS];

		json_pick(v, members, MEMBERS, one);
		read_tool(b, one);
	}
	if (!json_str_is(m[REQUESTOR], "user") && m[ID] != NULL)
		builder_result(
		    b, .id = m[ID], .value = m[CONTENT], .is_error = m[ERROR]);
}

static void
read_message(struct builder *b, const struct json *v)
{
	const struct json *m[MEMBERS];
	struct str role;

	json_pick(v, members, MEMBERS, m);
	role = json_raw(m[ROLE]);
	builder_locate(b, .ts = m[TIMESTAMP]);
	if (str_is(role, "assistant"))
		read_assistant(b, m);
	else if (str_is(role, "tool"))
		read_tool(b, m);
	else if (str_is(role, "user") && json_raw(m[CONTENT]).n != 0)
		builder_prompt(b, m[CONTENT]);
}

static void
read_about(struct builder *b, const struct json *r, const struct json *run)
{
	builder_set(b, RUN_SCENARIO, json_get(run, "task_id"));
	builder_set(b, RUN_INDEX, json_get(run, "trial"));
	builder_set(b, RUN_ID, json_get(run, "id"));
	builder_model(b, json_path(r, "info.agent_info.llm"));
	builder_meta(b, "reward", field_find(run, "reward reward_info.reward"));
	builder_meta(b, "termination", json_get(run, "termination_reason"));
	builder_set_times(
	    b, json_get(run, "start_time"), json_get(run, "end_time"));
	builder_duration(b, json_double(json_get(run, "duration")) * 1000);
}

static void
read_run(struct log *log, const struct json *r, const struct json *run)
{
	struct builder *b = log->builder;

	log_source(log, run);
	builder_begin_run(b);
	read_about(b, r, run);
	for (json_each(m, json_get(run, "messages")))
		read_message(b, m);
	for (json_each(m, json_get(run, "traj")))
		openai_message_read(b, m, NULL, false);
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (runs_of(r) == NULL)
		read_run(log, r, r);
	for (json_each(run, runs_of(r)))
		read_run(log, r, run);
}

const struct log_format log_format_tau = {
	.name = "tau",
	.what = "tau-bench, tau2: results",
	.score = score,
	.signs = "simulations task_id",
	.unflagged = UNFLAGGED_BY_TEXT,
	.read = read_record,
};
