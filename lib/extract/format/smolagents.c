/*
 * Hugging Face's smolagents: the steps of an agent's memory, in a list, in the
 * result of a run, or one a line.
 */
#include "extract/format/log_format.h"

static bool
is_action(const struct json *s)
{
	return json_get(s, "observations") != NULL &&
	    json_get(s, "tool_calls") != NULL &&
	    field_find(s, "step_number step") != NULL;
}

static bool
is_step(const struct json *s)
{
	return is_action(s) ||
	    (json_is(json_get(s, "task"), JSON_STRING) &&
		json_get(s, "task_images") != NULL) ||
	    (json_is(json_get(s, "plan"), JSON_STRING) &&
		json_get(s, "model_output_message") != NULL);
}

static const struct json *
steps_of(const struct json *r)
{
	const struct json *list =
	    json_is(r, JSON_ARRAY) ? r : field_find(r, "steps messages");

	for (json_each(s, list))
		if (is_action(s))
			return list;
	return NULL;
}

static int
score(const struct json *r)
{
	return is_step(r) || steps_of(r) != NULL ? LOG_FORMAT_SURE : 0;
}

/* ---- steps ---- */

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_INPUT, json_get(counts, "input_tokens"));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, "output_tokens"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

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
		builder_result(b, .id = json_get(json_first(calls), "id"),
		    .value = value, .is_error = builder_bool(failed != NULL));
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
read_action(struct builder *b, const struct json *step)
{
	const struct json *text = field_find(step, "model_output");

	if (text == NULL)
		text = field_find(step, "model_output_message.content");
	builder_text_blocks(b, text);
	read_calls(b, step);
	if (json_is(json_get(step, "is_final_answer"), JSON_TRUE))
		read_answer(b, field_find(step, "action_output"));
	read_usage(b, field_find(step, "token_usage"));
	builder_set_times(
	    b, NULL, field_find(step, "timing.end_time end_time"));
}

static void
read_step(struct builder *b, const struct json *step)
{
	builder_locate(
	    b, .ts = field_find(step, "timing.start_time start_time"));
	if (is_action(step)) {
		read_action(b, step);
	} else if (json_get(step, "task") != NULL) {
		builder_prompt(b, json_get(step, "task"));
	} else if (json_get(step, "plan") != NULL) {
		builder_text(b, json_get(step, "plan"));
		builder_text_is_interim(b);
		read_usage(b, field_find(step, "token_usage"));
	}
}

/* ---- runs ---- */

static void
read_run(struct log *log, const struct json *r, const struct json *steps)
{
	struct builder *b = log->builder;

	builder_begin_run(b);
	for (json_each(step, steps))
		read_step(b, step);
	if (json_is(r, JSON_OBJECT)) {
		builder_meta(b, "state", field_find(r, "state"));
		builder_set_times(b, field_find(r, "timing.start_time"),
		    field_find(r, "timing.end_time"));
		if (json_is(field_find(r, "output"), JSON_STRING))
			builder_set(b, RUN_FINAL, field_find(r, "output"));
	}
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (steps_of(r) != NULL)
		read_run(log, r, steps_of(r));
	else if (is_step(r))
		read_step(log->builder, r);
}

const struct log_format log_format_smolagents = {
	.name = "smolagents",
	.what = "smolagents: memory steps of an agent, results of runs",
	.score = score,
	.signs = "observations task_images model_output_message steps "
		 "messages=/observations [",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
