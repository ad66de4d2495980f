/*
 * Histories of browser-use's agents, one document: {"history": [{"model_output":
 * {"next_goal", "action": [{"click": {...}}]}, "result": [...], "state",
 * "metadata"}]}; or the list of steps alone. The n-th result is that of the n-th action. The names are those
 * of browser-use's source (agent/views.py).
 */
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

/* A history, or the list of its steps. */
#define LIST "0.model_output 0.state 0.result|0.model_output.action=["
#define WHOLE \
	"history.0.model_output history.0.state " \
	"history.0.result|history.0.model_output.action=["
#define HISTORY LIST ", " WHOLE

/* Returns the key of the action: the first member that has a value. */
static const struct json *
tool_of(const struct json *action)
{
	for (json_members(key, action))
		if (!json_is(json_value(key), JSON_NULL))
			return key;
	return NULL;
}

static void
read_result(struct builder *b, const struct json *result)
{
	const struct json *error = field_find(result, "error");

	builder_result(b, .last = true,
	    .value = error != NULL
		? error
		: field_find(result, "extracted_content long_term_memory"),
	    .is_error = builder_bool(error != NULL));
}

/* Reads the answer of the action "done". An answer with a schema is data, and its
 * result is the JSON of that data. */
static void
read_answer(
    struct builder *b, const struct json *args, const struct json *result)
{
	const struct json *text = json_get(result, "extracted_content");

	builder_text(b, json_get(args, "text"));
	if (field_find(args, "data") != NULL && json_is(text, JSON_STRING))
		builder_text(b, text);
	else
		builder_text_value(b, field_find(args, "data"));
}

static void
read_actions(struct builder *b, const struct json *step, const struct json *end,
    const struct json *message)
{
	const struct json *results = json_get(step, "result");
	size_t i = 0;

	for (json_each(action, json_path(step, "model_output.action"))) {
		const struct json *tool = tool_of(action);
		const struct json *result = json_at(results, i++);

		if (tool == NULL)
			continue;
		builder_locate(
		    b, .ts = json_path(step, "metadata.step_start_time"));
		builder_message_named(b, message);
		builder_call(b, .tool = tool, .args = json_value(tool));
		builder_locate(b, .ts = end);
		builder_message_named(b, message);
		if (result != NULL)
			read_result(b, result);
		if (!json_key_is(tool, "done"))
			continue;
		read_answer(b, json_value(tool), result);
		builder_meta(b, "success", json_get(result, "success"));
	}
}

/* Reads what the model was given, which may hold the user's words. */
static void
read_prompt(struct builder *b, const struct json *step)
{
	const struct str open = STR("<user_request>");
	struct str message = json_raw(json_get(step, "state_message"));

	if (!builder_has_prompt(b) && str_contains(message, open))
		builder_prompt_body(b,
		    log_between_marks(message, open, STR("</user_request>")));
}

static void
read_step(struct log *log, const struct json *step)
{
	struct builder *b = log->builder;
	const struct json *end = json_path(step, "metadata.step_end_time");
	const struct json *output = field_find(step, "model_output");
	const struct json *message;
	struct usage u = { 0 };

	builder_locate(b, .ts = json_path(step, "metadata.step_start_time"));
	read_prompt(b, step);
	if (output == NULL) {
		builder_error(
		    b, json_get(json_last(json_get(step, "result")), "error"));
		return;
	}
	builder_error(b, NULL);
	message = builder_str(b, builder_usage_key(b));
	builder_message_named(b, message);
	builder_text(
	    b, field_find(output, "next_goal current_state.next_goal"));
	builder_text_is_interim(b);
	read_actions(b, step, end, message);
	usage_read(&u, USAGE_INPUT, json_path(step, "metadata.input_tokens"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static const struct log_row steps[] = {
	LOG_ROW("model_output, result=[", LOG_HOOK, .read = read_step),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW(HISTORY, LOG_BEGIN),
	LOG_ROW(LIST, LOG_EACH, .rows = steps, .apart = true),
	LOG_ROW(WHOLE, LOG_EACH, .of = "history", .rows = steps, .apart = true),
	LOG_ROW(HISTORY, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_browser_use = {
	.name = "browser-use",
	.what = "browser-use: histories of agents",
	.sure = HISTORY,
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
};
