/*
 * Trajectories of SWE-agent (.traj): {"trajectory": [{"action", "observation",
 * "execution_time"}], "history": [MESSAGES], "info"}. The history has the
 * messages, in OpenAI's form; a step of the trajectory has the duration of its
 * action. The history lacks the attempts after which the model was asked again,
 * and the result of the last action. A file may have either part only.
 */
#include "extract/format/swe_agent.h"

#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* The state of a trajectory. */
struct reading {
	const struct json *steps, *step; /* the next step; NULL: none */
	struct hash_table last;          /* the last step of each action */
	const struct json *open;         /* the step of a call that waits for
					  * its result; NULL: unknown */
	bool matched;                    /* a step of a message was found */
	bool strayed;  /* the last message's action has no step */
	bool prompted; /* the prompt was read */
	bool acting;   /* a call waits for its result */
};

/* Returns the first word of a shell command, which names its tool. */
static struct str
first_word(struct str body)
{
	size_t n = 0;

	while (n < body.n && body.s[n] != ' ' && body.s[n] != '\\')
		n++;
	return str_slice(body, 0, n);
}

static void
read_action(struct builder *b, const struct json *action)
{
	struct str body = str_trim(json_raw(action));

	if (body.n != 0)
		builder_call(b, .tool = builder_str(b, first_word(body)),
		    .args = action);
}

static struct str
action_of(const struct json *v)
{
	return json_raw(json_get(v, "action"));
}

static void
begin_steps(struct reading *t, const struct json *steps, struct arena *a)
{
	t->steps = steps;
	t->step = json_first(steps);
	t->last.arena = a;
	for (json_each(step, steps)) {
		const struct json **place = arena_new(a, const struct json *);

		*place = step;
		*hash_put(&t->last, action_of(step)) = place;
	}
}

static void
read_time(struct builder *b, const struct json *step)
{
	const struct json *seconds = json_get(step, "execution_time");

	if (json_is(seconds, JSON_NUMBER))
		builder_call_duration(b, json_double(seconds) * 1000);
}

static void
read_step(struct builder *b, const struct json *step)
{
	const struct json *text = json_get(step, "thought");

	builder_locate(b, 0);
	builder_message(b);
	builder_text(
	    b, json_raw(text).n != 0 ? text : json_get(step, "response"));
	read_action(b, json_get(step, "action"));
	if (action_of(step).n == 0)
		return;
	builder_result(b, .last = true, .value = json_get(step, "observation"));
	read_time(b, step);
}

/* Reads the steps from t->step to before `end`, which the history lacks. */
static void
read_lost(struct builder *b, struct reading *t, const struct json *end)
{
	for (; t->step != end; t->step = json_next(t->steps, t->step))
		if (t->matched && !t->strayed && action_of(t->step).n != 0 &&
		    !str_starts(action_of(t->step), "exit_"))
			read_step(b, t->step);
	t->strayed = false;
}

/* Returns the step of the message's action, after the steps before it were
 * read; NULL: there is none. */
static const struct json *
step_of(struct builder *b, struct reading *t, const struct json *m)
{
	const struct json *const *last = hash_get(&t->last, action_of(m));
	const struct json *step = t->step;

	if (last == NULL || step == NULL || *last < step) {
		t->strayed |= action_of(m).n != 0;
		return NULL;
	}
	while (!str_eq(action_of(step), action_of(m)))
		step = json_next(t->steps, step);
	t->matched = true;
	read_lost(b, t, step);
	t->step = json_next(t->steps, step);
	return step;
}

/* Reads the result of the last call from its step, if no message has it. */
static void
end_call(struct builder *b, struct reading *t)
{
	if (t->open != NULL)
		builder_result(
		    b, .last = true, .value = json_get(t->open, "observation"));
	t->open = NULL;
}

static void
read_assistant(struct builder *b, struct reading *t, const struct json *m)
{
	const struct json *action = json_get(m, "action"), *step;
	bool calls = json_first(json_get(m, "tool_calls")) != NULL;

	end_call(b, t);
	step = step_of(b, t, m);
	openai_message_read(b, m, NULL, false);
	t->acting = calls || json_raw(action).n != 0;
	if (!calls && json_is(action, JSON_STRING))
		read_action(b, action);
	if (step == NULL)
		return;
	read_time(b, step);
	t->open = t->acting ? step : NULL;
}

/* Reads a message. The result of an action is in a user's message, or in a
 * tool's. */
static void
read_message(struct log *log, struct reading *t, const struct json *m)
{
	struct builder *b = log->builder;
	struct str role = json_raw(json_get(m, "role"));
	const struct json *id = json_at(json_get(m, "tool_call_ids"), 0);

	if (str_is(role, "assistant")) {
		read_assistant(b, t, m);
		return;
	}
	builder_locate(b, 0);
	if (str_is(role, "tool") || (str_is(role, "user") && t->acting)) {
		builder_result(b,
		    .id = id != NULL ? id : field_find(m, "tool_call_id"),
		    .value = json_get(m, "content"));
		t->acting = str_is(role, "tool");
		t->open = NULL;
	} else if (str_is(role, "user") && !t->prompted) {
		builder_prompt(b, json_get(m, "content"));
		t->prompted = true;
	} else if (str_is(role, "system")) {
		builder_system_message(b, json_get(m, "content"));
	} else if (!str_is(role, "user")) {
		log_unread(log, m);
	}
}

/* Reads a count, where 0 is unknown: a recording was replayed, or the model has
 * no price. */
static void
read_count(struct usage *u, enum usage_kind kind, const struct json *n)
{
	if (json_double(n) > 0)
		usage_read(u, kind, n);
}

void
swe_agent_info(struct builder *b, const struct json *info)
{
	const struct json *stats = json_get(info, "model_stats");
	const struct json *status = json_get(info, "exit_status");
	struct usage u = { 0 };

	read_count(&u, USAGE_INPUT, json_get(stats, "tokens_sent"));
	read_count(&u, USAGE_OUTPUT, json_get(stats, "tokens_received"));
	read_count(&u, USAGE_COST, json_get(stats, "instance_cost"));
	read_count(&u, USAGE_LLM_CALLS, json_get(stats, "api_calls"));
	builder_total(b, &u);
	builder_model(b, json_path(info, "config.model.model_name"));
	builder_meta(b, "exit_status", status);
	builder_meta(b, "submission", json_get(info, "submission"));
	if (!str_starts(json_raw(status), "submitted") &&
	    !str_starts(json_raw(status), "Submitted"))
		builder_error(b, status);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *steps = json_get(r, "trajectory");
	const struct json *history = json_get(r, "history");
	struct reading t = { 0 };

	begin_steps(&t, steps, log->scratch);
	builder_begin_run(b);
	builder_set(b, RUN_SCENARIO, field_find(r, "instance_id"));
	for (json_each(m, history))
		if (!json_is(json_get(m, "is_demo"), JSON_TRUE))
			read_message(log, &t, m);
	end_call(b, &t);
	if (json_first(history) != NULL)
		read_lost(b, &t, NULL);
	else
		for (json_each(step, steps))
			read_step(b, step);
	swe_agent_info(b, json_get(r, "info"));
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("trajectory=[, history=[", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_swe_agent = {
	.name = "swe-agent",
	.what = "SWE-agent: trajectories",
	.sure = "trajectory.0.action trajectory.0.observation, "
		"history.0.role history.0.content "
		"history.0.agent|history.0.message_type",
	.rows = rows,
	.knows_blocks = true,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
