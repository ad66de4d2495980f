/*
 * trae-agent's trajectories, one run a file. Python: {"task", "llm_interactions",
 * "agent_steps"}, of which the interactions have the usage and the steps the results;
 * the Rust port: {"task", "llm_interaction"} with a step in each; the TypeScript port:
 * {"task", "agent_id", "steps"}, whose results have no ids at first.
 */
#include "extract/format/log_rows.h"

/* A result has a text, an error, or both, which the model gets together. */
static void
read_result(struct log *log, const struct json *r)
{
	const struct json *value = field_find(r, "result"),
			  *error = field_find(r, "error");

	if (json_raw(error).n != 0)
		value = json_is(value, JSON_STRING) && json_raw(value).n == 0
		    ? error
		    : value == NULL ? error
				    : r;
	builder_result(log->builder,
	    .id = field_find(r, "call_id tool_call_id"), .value = value,
	    .ok = json_get(r, "success"));
}

static const struct log_row results[] = {
	LOG_ROW("={", LOG_HOOK, .read = read_result),
	LOG_LAST,
};

static const struct log_row calls[] = {
	LOG_ROW("name, function", LOG_CALL, .id = "call_id id",
	    .tool = "name function.name",
	    .args = "arguments function.arguments", .decode = true),
	LOG_LAST,
};

static const struct log_row messages[] = {
	LOG_ROW("role=system", LOG_SYSTEM, .of = "content"),
	LOG_ROW("role", LOG_NOTHING), /* the task, results, reminders */
	LOG_LAST,
};

static const struct log_row answer[] = {
	LOG_ROW("", LOG_BLOCKS, .of = "content llm_response_content"),
	LOG_ROW("", LOG_EACH, .of = "tool_calls", .rows = calls),
	LOG_ROW("", LOG_STOP, .of = "finish_reason"),
	LOG_ROW("usage={", LOG_USAGE, .of = "usage",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "input_tokens",
		[USAGE_OUTPUT] = "output_tokens",
		[USAGE_CACHE_READ] = "cache_read_input_tokens",
		[USAGE_CACHE_WRITE] = "cache_creation_input_tokens",
		[USAGE_REASONING] = "reasoning_tokens")),
	LOG_ROW("!usage={", LOG_REQUEST),
	LOG_LAST,
};

static const struct log_row interaction[] = {
	LOG_ROW("timestamp", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("", LOG_MODEL, .of = "model"),
	LOG_ROW("", LOG_EACH, .of = "input_messages llm_messages messages",
	    .rows = messages),
	LOG_ROW("", LOG_MESSAGE),
	LOG_ROW("response={", LOG_IN, .of = "response", .rows = answer),
	LOG_ROW("llm_response={", LOG_IN, .of = "llm_response", .rows = answer),
	LOG_ROW("step_id", LOG_IN, .of = "", .rows = answer),
	LOG_LAST,
};

static const struct log_row outcome[] = {
	LOG_ROW("timestamp", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("", LOG_EACH, .of = "tool_results", .rows = results),
	LOG_ROW("error=\"", LOG_ERROR, .of = "error"),
	LOG_LAST,
};

/* Reads the results of earlier calls that an interaction sends. */
static const struct log_row sent[] = {
	LOG_ROW("tool_result={", LOG_HOOK, .of = "tool_result",
	    .read = read_result),
	LOG_ROW("else", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row returned[] = {
	LOG_ROW("timestamp", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW(
	    "input_messages=[", LOG_EACH, .of = "input_messages", .rows = sent),
	LOG_LAST,
};

/* Reads the steps, each after its interaction, which has the whole usage. A step whose
 * request failed has no interaction; the last interaction may have no step. Without
 * steps, each interaction has the results of the calls before it. */
static void
read_python(struct log *log, const struct json *r)
{
	const struct json *list = json_get(r, "llm_interactions"),
			  *next = json_first(list);

	for (json_each(step, json_get(r, "agent_steps"))) {
		bool answered =
		    json_is(json_get(step, "llm_response"), JSON_OBJECT);

		log_read_part(
		    log, interaction, answered && next != NULL ? next : step);
		log_read_part(log, outcome, step);
		if (answered && next != NULL)
			next = json_next(list, next);
	}
	for (; next != NULL; next = json_next(list, next)) {
		if (json_first(json_get(r, "agent_steps")) == NULL)
			log_read_part(log, returned, next);
		log_read_part(log, interaction, next);
	}
}

static const struct log_row records[] = {
	LOG_ROW("", LOG_LOCATE, .of = "timestamp"),
	LOG_ROW("steps={", LOG_IN, .of = "steps", .rows = interaction),
	LOG_ROW("steps={", LOG_IN, .of = "steps", .rows = outcome),
	LOG_ROW("step_id", LOG_IN, .of = "", .rows = interaction),
	LOG_ROW("step_id", LOG_IN, .of = "", .rows = outcome),
	LOG_LAST,
};

static void
begin_run(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	log_whole_run(log, r);
	builder_set_times(
	    b, json_get(r, "start_time"), json_get(r, "end_time"));
	if (json_raw(json_get(r, "end_time")).n == 0)
		builder_set_broken(b, true);
	else
		builder_duration(
		    b, json_double(json_get(r, "execution_time")) * 1000);
	builder_locate(b, .ts = json_get(r, "start_time"));
}

/* The answer, which is also the last text unless the model said nothing with it. */
static void
read_end(struct log *log, const struct json *r)
{
	const struct json *final = json_get(r, "final_result");

	if (!json_is(json_get(r, "success"), JSON_TRUE))
		builder_error(log->builder, final);
	else {
		builder_error(log->builder, NULL);
		if (json_raw(final).n != 0)
			builder_set(log->builder, RUN_FINAL, final);
	}
}

static const struct log_row rows[] = {
	LOG_ROW("task", LOG_HOOK, .read = begin_run),
	LOG_ROW("task", LOG_MODEL, .of = "model"),
	LOG_ROW("task", LOG_META, .name = "success", .of = "success"),
	LOG_ROW("task", LOG_PROMPT, .of = "task"),
	LOG_ROW("llm_interactions=[", LOG_HOOK, .read = read_python),
	LOG_ROW(
	    "task", LOG_EACH, .of = "llm_interaction steps", .rows = records),
	LOG_ROW("final_result=\"", LOG_HOOK, .read = read_end),
	LOG_ROW("task", LOG_END),
	LOG_LAST,
};

const struct log_format log_format_trae = {
	.name = "trae",
	.what = "trae-agent: trajectories",
	.sure = "llm_interactions=[ task=\", llm_interaction=[ task=\", "
		"agent_id=\" task=\" steps=[ completed=true|false",
	.rows = rows,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
