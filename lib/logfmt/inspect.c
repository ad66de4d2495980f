/* Logs of inspect_ai as JSON: a run for each sample and epoch, all in one
 * object, or each in a file of its own as archives hold them. */
#include "../logfmt.h"

static bool
is_sample(const struct json *r)
{
	return json_is(json_get(r, STR("epoch")), JSON_NUMBER) &&
	    json_is(json_get(r, STR("messages")), JSON_ARRAY) &&
	    json_get(r, STR("target")) != NULL;
}

static int
score(const struct json *r)
{
	return is_sample(r) ||
		(json_path(r, "eval.task") != NULL &&
		    json_is(json_get(r, STR("samples")), JSON_ARRAY))
	    ? LOGFMT_SURE
	    : 0;
}

/* Long texts stand apart, and in their place "attachment://HASH". */
static const struct json *
attached(const struct json *sample, const struct json *text)
{
	const struct json *there;
	struct str name = json_raw(text);

	if (!str_starts(name, STR("attachment://")))
		return text;
	there =
	    json_get(json_get(sample, STR("attachments")), str_from(name, 13));
	return there != NULL ? there : text;
}

static void
read_assistant(
    struct builder *b, const struct json *sample, const struct json *m)
{
	const struct json *content =
	    attached(sample, json_get(m, STR("content")));

	builder_model(b, json_get(m, STR("model")));
	builder_text(b, content);
	for (json_each(part, content))
		if (json_str_is(json_get(part, STR("type")), STR("text")))
			builder_text(
			    b, attached(sample, json_get(part, STR("text"))));
	for (json_each(call, json_get(m, STR("tool_calls"))))
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(call, STR("id")),
			.tool = json_get(call, STR("function")),
			.args = json_get(call, STR("arguments")),
		    });
	builder_usage(b, (struct str){ 0 }, &(struct usage){ 0 }, false);
}

static void
read_tool(struct builder *b, const struct json *sample, const struct json *m)
{
	const struct json *error = log_find(m, "error");
	const struct json *content =
	    attached(sample, json_get(m, STR("content")));

	builder_result(b,
	    &(struct builder_result){
		.id = json_get(m, STR("tool_call_id")),
		.tool = json_get(m, STR("function")),
		.value = error != NULL && json_raw(content).n == 0
		    ? json_get(error, STR("message"))
		    : content,
		.is_error = builder_bool(error != NULL),
	    });
}

static void
read_message(struct builder *b, const struct json *sample, const struct json *m)
{
	struct str role = json_raw(json_get(m, STR("role")));

	builder_at(
	    b, &(struct builder_at){ .message = json_get(m, STR("id")) });
	if (str_is(role, "user"))
		builder_prompt(
		    b, attached(sample, json_get(m, STR("content"))));
	else if (str_is(role, "assistant"))
		read_assistant(b, sample, m);
	else if (str_is(role, "tool"))
		read_tool(b, sample, m);
}

/* How long each tool worked. */
static void
read_events(struct builder *b, const struct json *events)
{
	for (json_each(e, events)) {
		if (!json_str_is(json_get(e, STR("event")), STR("tool")) ||
		    !builder_has_call(b, json_get(e, STR("id"))))
			continue;
		builder_result(b,
		    &(struct builder_result){
			.id = json_get(e, STR("id")),
			.ts_start = json_get(e, STR("timestamp")),
		    });
		builder_took(
		    b, json_double(json_get(e, STR("working_time"))) * 1000);
	}
}

/* Input here has nothing of the caches; output has what was thought. */
static void
read_usage(struct builder *b, const struct json *models)
{
	struct usage all = { 0 };

	for (json_members(name, models)) {
		const struct json *m = json_value(name);
		struct usage u = { 0 };

		usage_read(&u, USAGE_INPUT, json_get(m, STR("input_tokens")));
		usage_read(&u, USAGE_OUTPUT, json_get(m, STR("output_tokens")));
		usage_read(&u, USAGE_CACHE_READ,
		    json_get(m, STR("input_tokens_cache_read")));
		usage_read(&u, USAGE_CACHE_WRITE,
		    json_get(m, STR("input_tokens_cache_write")));
		usage_read(
		    &u, USAGE_REASONING, json_get(m, STR("reasoning_tokens")));
		usage_read(&u, USAGE_COST, json_get(m, STR("total_cost")));
		usage_add(&all, &u);
	}
	builder_total(b, &all);
}

static void
read_sample(struct log *log, const struct json *r, const struct json *sample)
{
	struct builder *b = log->builder;
	const struct json *eval = json_get(r, STR("eval"));

	log_source(log, sample);
	builder_run(b);
	builder_set(b, RUN_GROUP, log_find(eval, "run_id task"));
	builder_set(b, RUN_SCENARIO, json_get(sample, STR("id")));
	builder_set(b, RUN_INDEX, json_get(sample, STR("epoch")));
	builder_model(b, json_get(eval, STR("model")));
	builder_meta(b, "task", json_get(eval, STR("task")));
	builder_meta(b, "scores", json_get(sample, STR("scores")));
	builder_meta(b, "limit", json_get(sample, STR("limit")));
	builder_span(b, json_get(sample, STR("started_at")),
	    json_get(sample, STR("completed_at")));
	if (log_find(sample, "completed_at") == NULL)
		builder_duration(
		    b, json_double(json_get(sample, STR("total_time"))) * 1000);
	for (json_each(m, json_get(sample, STR("messages"))))
		read_message(b, sample, m);
	read_events(b, json_get(sample, STR("events")));
	read_usage(b, json_get(sample, STR("model_usage")));
	builder_error(b, json_get(sample, STR("error")));
	builder_done(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	if (is_sample(r))
		read_sample(log, NULL, r);
	for (json_each(sample, json_get(r, STR("samples"))))
		read_sample(log, r, sample);
}

const struct logfmt logfmt_inspect = {
	.name = "inspect",
	.what = "inspect_ai logs as JSON",
	.score = score,
	.read = read_record,
};
