/*
 * Results of the benchmarks tau-bench and tau2-bench, many simulations in one
 * file: a list of {"task_id", "trial", "reward", "traj": MESSAGES}, and tau2's
 * {"info", "tasks", "simulations": [{"task_id", "trial", "messages"}]}. The
 * messages are OpenAI's, except that a call of tau2 has its name and arguments
 * itself, rather than in a function.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

/* A simulation. OpenAI's messages may have the id of a task, too. */
#define RUN(at) \
	at "task_id " at "traj, " at "task_id " at "messages " at "trial|" at \
	   "reward_info|" at "termination_reason"

static void
read_assistant(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_text(b, json_get(m, "content"));
	for (json_each(call, json_get(m, "tool_calls")))
		openai_call_read(b, call);
	openai_usage_read(&u, json_get(m, "usage"));
	usage_read(&u, USAGE_COST, json_get(m, "cost"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_user(struct log *log, const struct json *content)
{
	if (json_raw(content).n != 0)
		builder_prompt(log->builder, content);
}

/* A result. The simulated user has tools too; the user's calls are not the
 * agent's. */
#define RESULTS \
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
	LOG_ROW("role=user", LOG_HOOK, .of = "content", .read = read_user),
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content"),
	LOG_ROW("role=tool tool_messages", LOG_EACH, .of = "tool_messages",
	    .rows = results),
	RESULTS,
	LOG_LAST,
};

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
	LOG_ROW("", LOG_END),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW("=[", LOG_EACH, .rows = runs),
	LOG_ROW("simulations=[", LOG_EACH, .of = "simulations", .rows = runs),
	LOG_ROW("traj else, messages else", LOG_IN, .of = "", .rows = runs),
	LOG_LAST,
};

const struct log_format log_format_tau = {
	.name = "tau",
	.what = "tau-bench, tau2: results",
	.sure = "task_id traj, " RUN("0.") ", " RUN("simulations.0."),
	.lists = ". simulations",
	.head = "info",
	.unflagged = UNFLAGGED_BY_TEXT,
	.before = before,
	.rows = rows,
	.knows_blocks = true, /* actions that a task expects are no calls */
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
