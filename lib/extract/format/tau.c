/*
 * Results of the benchmarks tau-bench and tau2-bench, many simulations in one
 * file: a list of {"task_id", "trial", "reward", "traj": MESSAGES}, and tau2's
 * {"info", "tasks", "simulations": [{"task_id", "trial", "messages"}]}, or {"task",
 * "simulation_run"}. The messages are OpenAI's, except that a call of tau2 has its name and arguments
 * itself, rather than in a function.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "io/out.h"

/* A simulation. OpenAI's messages may have the id of a task, too. */
#define RUN(at) \
	at "task_id " at "traj, " at "task_id " at "messages " at "trial|" at \
	   "reward_info|" at "termination_reason"

static void
read_assistant(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_message(b);
	builder_text(b, json_get(m, "content"));
	for (json_each(call, json_get(m, "tool_calls")))
		openai_call_read(b, call);
	openai_usage_read(&u, json_get(m, "usage"));
	usage_read(&u, USAGE_COST, json_get(m, "cost"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* The simulated user has tools, too; the user's calls are not the agent's. */
static void
read_users_calls(struct log *log, const struct json *calls)
{
	for (json_each(call, calls))
		builder_call(log->builder, .id = json_get(call, "id"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "arguments"), .by_user = true);
}

static void
read_user(struct log *log, const struct json *m)
{
	const struct json *content = json_get(m, "content");

	if (json_raw(content).n != 0)
		builder_prompt(log->builder, content);
	read_users_calls(log, json_get(m, "tool_calls"));
	log->builder->reported |= BUILDER_NOTHING;
}

/* A result of the user's, unless the call is missing. */
static void
read_users_result(struct log *log, const struct json *r)
{
	if (builder_has_call(log->builder, json_get(r, "id")))
		builder_result(log->builder, .id = json_get(r, "id"),
		    .value = json_get(r, "content"),
		    .is_error = json_get(r, "error"));
}

#define RESULTS \
	LOG_ROW( \
	    "role=tool requestor=user", LOG_HOOK, .read = read_users_result), \
	    LOG_ROW("role=tool requestor=user", LOG_NOTHING), \
	    LOG_ROW("role=tool else", LOG_RESULT, .id = "id tool_call_id", \
		.tool = "name", .result = "content", .is_error = "error")

static const struct log_row results[] = {
	RESULTS,
	LOG_LAST,
};

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_assistant),
	LOG_ROW("role=user", LOG_HOOK, .read = read_user),
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content"),
	LOG_ROW("role=tool tool_messages", LOG_EACH, .of = "tool_messages",
	    .rows = results),
	RESULTS,
	LOG_LAST,
};

/* Ends what the user said, which begins a turn. */
static void
end_speech(struct log *log, struct out *speech)
{
	struct str said = out_keep(speech, log->scratch);

	out_open_memory(speech);
	if (said.n == 0)
		return;
	builder_end_text(log->builder);
	builder_prompt_body(log->builder, said);
}

/* Reads a conversation by voice, in which both sides speak and call tools at any time:
 * each tick has a piece of what they say. The user has said all once only the agent
 * goes on. */
static void
read_ticks(struct log *log, const struct json *ticks)
{
	struct out speech;

	out_open_memory(&speech);
	for (json_each(tick, ticks)) {
		const struct json *agent =
				      json_path(tick, "agent_chunk.content"),
				  *user = json_path(tick, "user_chunk.content"),
				  *calls = json_get(tick, "agent_tool_calls");

		builder_locate(log->builder, .ts = json_get(tick, "timestamp"));
		if (json_raw(user).n == 0 &&
		    (json_raw(agent).n != 0 || json_first(calls) != NULL))
			end_speech(log, &speech);
		if (json_raw(agent).n != 0)
			builder_append_text(log->builder, agent);
		for (json_each(call, calls))
			openai_call_read(log->builder, call);
		for (json_each(r, json_get(tick, "agent_tool_results")))
			log_read_part(log, results, r);
		out_str(&speech, json_raw(user));
		read_users_calls(log, json_get(tick, "user_tool_calls"));
		for (json_each(r, json_get(tick, "user_tool_results")))
			log_read_part(log, results, r);
	}
	end_speech(log, &speech);
	(void)out_keep(&speech, log->scratch);
}

static void
read_message(struct log *log, const struct json *m)
{
	openai_message_read(log->builder, m, NULL, false);
}

static const struct log_row traj[] = {
	LOG_ROW("role=system|user|assistant|tool|function", LOG_HOOK,
	    .read = read_message),
	LOG_LAST,
};

/* The file's model, which precedes the simulations. */
struct reading {
	struct str model;
};

static void
before(struct log *log, const struct json *r)
{
	struct reading *state = arena_new(log->arena, struct reading);

	state->model =
	    copy_body(log->arena, json_path(r, "info.agent_info.llm"));
	log->state = state;
}

static void
begin_run(struct log *log, const struct json *run)
{
	const struct reading *state = log->state;
	struct builder *b = log->builder;

	log_source(log, run);
	builder_begin_run(b);
	if (state->model.n != 0)
		builder_model(b, builder_str(b, state->model));
	builder_set_times(
	    b, json_get(run, "start_time"), json_get(run, "end_time"));
	builder_duration(b, json_double(json_get(run, "duration")) * 1000);
}

static const struct log_row runs[] = {
	LOG_ROW("", LOG_HOOK, .read = begin_run),
	LOG_ROW("", LOG_SET, .of = "task_id", .member = RUN_SCENARIO),
	LOG_ROW("", LOG_SET, .of = "trial", .member = RUN_INDEX),
	LOG_ROW("", LOG_SET, .of = "id", .member = RUN_ID),
	LOG_ROW(
	    "", LOG_META, .name = "reward", .of = "reward reward_info.reward"),
	LOG_ROW(
	    "", LOG_META, .name = "termination", .of = "termination_reason"),
	LOG_ROW("", LOG_EACH, .of = "messages", .rows = messages),
	LOG_ROW("", LOG_EACH, .of = "traj", .rows = traj),
	LOG_ROW(
	    "ticks=[ !messages.0", LOG_HOOK, .of = "ticks", .read = read_ticks),
	LOG_ROW("", LOG_END),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_EACH, .rows = runs),
	LOG_ROW("simulations=[", LOG_EACH, .of = "simulations", .rows = runs),
	LOG_ROW(
	    "simulation_run={", LOG_IN, .of = "simulation_run", .rows = runs),
	LOG_ROW("traj else, messages else", LOG_IN, .of = "", .rows = runs),
	LOG_LAST,
};

const struct log_format log_format_tau = {
	.name = "tau",
	.what = "tau-bench, tau2: results",
	.sure = "task_id traj, " RUN("0.") ", " RUN("simulations.0.") ", " RUN(
	    "simulation_run."),
	.lists = ". simulations",
	.head = "info",
	.unflagged = UNFLAGGED_BY_TEXT,
	.before = before,
	.rows = rows,
	.knows_blocks = true, /* actions that a task expects are no calls */
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
