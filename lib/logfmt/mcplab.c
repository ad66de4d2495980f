/* MCPLab's trace.jsonl, version 3: a line for each run. */
#include "../js.h"
#include "../logfmt.h"

/* MCPLab cuts a text at so many UTF-16 units and appends three dots. */
enum { TEXT_MAX = 4000, RESULT_MAX = 12000 };

static int
score(const struct json *r)
{
	const struct json *type = json_get(r, STR("type"));

	if (json_str_is(type, STR("scenario_run")))
		return json_get(r, STR("messages")) != NULL ? LOGFMT_SURE : 0;
	if (json_str_is(type, STR("trace_meta")))
		return json_get(r, STR("trace_version")) != NULL ? LOGFMT_SURE
								 : 0;
	return 0;
}

static bool
is_cut(const struct json *text, size_t max)
{
	return str_ends(json_raw(text), STR("...")) &&
	    js_length(json_raw(text)) == max + 3;
}

static void
read_text(struct builder *b, bool by_user, const struct json *text)
{
	if (by_user)
		builder_prompt(b, text);
	else
		builder_text(b, text);
	if (is_cut(text, TEXT_MAX))
		builder_cut(b);
}

static void
read_result(struct builder *b, const struct json *block)
{
	const struct json *content = json_get(block, STR("content"));
	const struct json *started = json_get(block, STR("ts_start"));

	builder_result(b,
	    &(struct builder_result){
		.id = json_get(block, STR("tool_use_id")),
		.tool = json_get(block, STR("name")),
		.server = json_get(block, STR("server")),
		.value = content,
		.is_error = json_get(block, STR("is_error")),
		.duration = json_get(block, STR("duration_ms")),
		.ts_start = started,
	    });
	for (json_each(part, content)) {
		const struct json *text = json_get(part, STR("text"));

		if (is_cut(text, TEXT_MAX) || is_cut(text, RESULT_MAX))
			builder_cut(b);
	}
}

static void
read_block(struct builder *b, bool by_user, const struct json *block)
{
	const struct json *type = json_get(block, STR("type"));

	if (json_str_is(type, STR("text")))
		read_text(b, by_user, json_get(block, STR("text")));
	else if (json_str_is(type, STR("tool_use")))
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(block, STR("id")),
			.tool = json_get(block, STR("name")),
			.server = json_get(block, STR("server")),
			.args = json_get(block, STR("input")),
		    });
	else if (json_str_is(type, STR("tool_result")))
		read_result(b, block);
}

static void
read_message(struct builder *b, const struct json *message)
{
	const struct json *role = json_get(message, STR("role"));
	const struct json *counts = json_get(message, STR("usage"));
	struct usage usage = { 0 };

	builder_at(
	    b, &(struct builder_at){ .ts = json_get(message, STR("ts")) });
	for (json_each(block, json_get(message, STR("content"))))
		read_block(b, json_str_is(role, STR("user")), block);
	if (!json_str_is(role, STR("assistant")))
		return;
	usage_read(&usage, USAGE_INPUT, json_get(counts, STR("input_tokens")));
	usage_read(
	    &usage, USAGE_OUTPUT, json_get(counts, STR("output_tokens")));
	builder_usage(b, (struct str){ 0 }, &usage, false);
}

/* An assistant's message without calls is the answer; a run that ends with
 * anything else (it ran out of turns) has an empty one. */
static bool
is_answer(const struct json *message)
{
	if (!json_str_is(json_get(message, STR("role")), STR("assistant")))
		return false;
	for (json_each(block, json_get(message, STR("content"))))
		if (json_str_is(json_get(block, STR("type")), STR("tool_use")))
			return false;
	return true;
}

static void
read_messages(struct builder *b, const struct json *messages)
{
	const struct json *last = NULL;

	for (json_each(message, messages)) {
		read_message(b, message);
		last = message;
	}
	if (last == NULL)
		builder_no_calls(b);
	else if (!is_answer(last))
		builder_set_body(b, RUN_FINAL, STR(""));
}

/* The run's id is on the file's first line; where that is missing, within
 * "mcplab-run:RUN:SCENARIO:..." */
static void
set_id(struct log *log, const struct json *r)
{
	struct str request = json_raw(json_get(r, STR("request_id")));
	struct str rest = request;

	if (log->id.s != NULL) {
		builder_set_body(log->builder, RUN_GROUP, log->id);
	} else if (request.n != 0) {
		if (str_is(str_cut(&rest, ':'), "mcplab-run"))
			request = str_cut(&rest, ':');
		builder_set_body(log->builder, RUN_GROUP, request);
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, STR("type"));

	if (json_str_is(type, STR("trace_meta")))
		log->id = keep_body(log->arena, json_get(r, STR("run_id")));
	if (!json_str_is(type, STR("scenario_run")))
		return;
	builder_run(b);
	set_id(log, r);
	builder_set(b, RUN_SCENARIO, json_get(r, STR("scenario_id")));
	builder_set(b, RUN_INDEX, json_get(r, STR("run_index")));
	builder_set(b, RUN_AGENT, json_get(r, STR("agent")));
	builder_set(b, RUN_PROVIDER, json_get(r, STR("provider")));
	builder_error(b, json_get(r, STR("error")));
	builder_model(b, json_get(r, STR("model")));
	builder_span(
	    b, json_get(r, STR("ts_start")), json_get(r, STR("ts_end")));
	builder_meta(b, "request_id", json_get(r, STR("request_id")));
	builder_meta(b, "pass", json_get(r, STR("pass")));
	read_messages(b, json_get(r, STR("messages")));
	builder_done(b);
}

const struct logfmt logfmt_mcplab = {
	.name = "mcplab",
	.what = "MCPLab trace.jsonl, version 3",
	.score = score,
	.read = read_record,
};
