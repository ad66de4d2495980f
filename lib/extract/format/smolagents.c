/*
 * Hugging Face's smolagents: the steps of an agent's memory, in a list, in the
 * result of a run, or one a line.
 */
#include "extract/format/log_rows.h"

/* ---- steps ---- */

/* Reads the calls of a step. The step has one text for the results of all its
 * calls: with a single call, it is that call's result. A step's error is that
 * of its call. A step's duration includes the model, so it is not that of its
 * call. */
static void
read_calls(struct builder *b, const struct json *step)
{
	const struct json *calls = json_get(step, "tool_calls");
	const struct json *failed = field_find(step, "error");
	const struct json *value = failed != NULL
	    ? field_find(failed, "message")
	    : field_find(step, "observations");

	for (json_each(call, calls))
		builder_call(b, .id = json_get(call, "id"),
		    .tool = field_find(call, "function.name name"),
		    .args = field_find(call, "function.arguments arguments"));
	builder_locate(b, 0);
	if (json_count(calls) == 1)
		builder_result(b, .last = true, .value = value,
		    .is_error = builder_bool(failed != NULL));
}

/* Reads the answer, which is the output of the last action. */
static void
read_answer(struct builder *b, const struct json *answer)
{
	if (json_is(answer, JSON_STRING))
		builder_text(b, answer);
	else if (answer != NULL)
		builder_text_value(b, answer);
}

static void
read_action(struct log *log, const struct json *step)
{
	struct builder *b = log->builder;
	const struct json *text = field_find(step, "model_output");

	if (text == NULL)
		text = field_find(step, "model_output_message.content");
	builder_text_blocks(b, text);
	read_calls(b, step);
	if (json_is(json_get(step, "is_final_answer"), JSON_TRUE))
		read_answer(b, field_find(step, "action_output"));
	builder_set_times(
	    b, NULL, field_find(step, "timing.end_time end_time"));
}

static void
read_plan(struct log *log, const struct json *plan)
{
	builder_text(log->builder, plan);
	builder_text_is_interim(log->builder);
}

static const struct log_row steps[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timing.start_time start_time"),
	LOG_ROW("step_number, step, plan", LOG_MESSAGE),
	LOG_ROW("step_number, step", LOG_HOOK, .read = read_action),
	LOG_ROW("task !start_time else", LOG_PROMPT, .of = "task"),
	LOG_ROW("plan else", LOG_HOOK, .of = "plan", .read = read_plan),
	LOG_ROW("step_number, step, plan", LOG_USAGE, .of = "token_usage",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "input_tokens",
		[USAGE_OUTPUT] = "output_tokens")),
	LOG_ROW(
	    "step_number !token_usage, step !token_usage, plan !token_usage",
	    LOG_REQUEST),
	LOG_ROW("system_prompt", LOG_SYSTEM, .of = "system_prompt"),
	LOG_LAST,
};

/* ---- runs ---- */

/* A list of steps, or a record with such a list. */
#define LIST "=[, steps=[, messages=["

static const struct log_row rows[] = {
	LOG_ROW(LIST, LOG_BEGIN),
	LOG_ROW("=[", LOG_EACH, .rows = steps),
	LOG_ROW(LIST, LOG_EACH, .of = "steps messages", .rows = steps),
	LOG_ROW(LIST, LOG_META, .name = "state", .of = "state"),
	LOG_ROW(LIST, LOG_BEGAN, .of = "timing.start_time"),
	LOG_ROW(LIST, LOG_ENDED, .of = "timing.end_time"),
	LOG_ROW("steps=[ output=\", messages=[ output=\"", LOG_SET,
	    .member = RUN_FINAL, .of = "output"),
	LOG_ROW(LIST, LOG_END),
	LOG_ROW("else", LOG_IN, .of = "", .rows = steps),
	LOG_LAST,
};

const struct log_format log_format_smolagents = {
	.name = "smolagents",
	.what = "smolagents: memory steps of an agent, results of runs",
	.sure = "observations=? tool_calls=? step_number|step, "
		"task_images=? task=\", model_output_message plan=\"",
	.nested = "* steps.* messages.*",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true, /* what a model was shown is no call */
};
