/* Logs of inspect_ai as JSON: a run for each sample and epoch, all in one
 * object, or each in a file of its own as archives hold them. */
#include "extract/format/format.h"
#include "extract/format/inspect_events.h"
#include "json/keys.h"

static bool
is_sample(const struct json *r)
{
	return json_is(json_get(r, "epoch"), JSON_NUMBER) &&
	    json_is(json_get(r, "messages"), JSON_ARRAY) &&
	    json_get(r, "target") != NULL;
}

/* What an archive begins with. */
static bool
is_start(const struct json *r)
{
	return json_path(r, "eval.task") != NULL &&
	    json_get(r, "samples") == NULL && json_get(r, "plan") != NULL;
}

static int
score(const struct json *r)
{
	return is_sample(r) || is_start(r) ||
		(json_path(r, "eval.task") != NULL &&
		    json_is(json_get(r, "samples"), JSON_ARRAY))
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_tool(struct inspect_sample *s, const struct json *m)
{
	const struct json *error = field_find(m, "error");
	const struct json *content =
	    inspect_attached(s, json_get(m, "content"));

	builder_result(s->builder, .id = json_get(m, "tool_call_id"),
	    .tool = json_get(m, "function"),
	    .value = error != NULL && json_raw(content).n == 0
		? json_get(error, "message")
		: content,
	    .is_error = builder_bool(error != NULL));
}

static void
read_message(struct inspect_sample *s, const struct json *m)
{
	struct str role = json_raw(json_get(m, "role"));
	struct builder *b = s->builder;

	builder_locate(b, .message = json_get(m, "id"));
	if (json_raw(json_get(m, "id")).n != 0)
		*hash_put(&s->told, json_raw(json_get(m, "id"))) = s;
	if (str_is(role, "user")) {
		builder_prompt(b, inspect_attached(s, json_get(m, "content")));
	} else if (str_is(role, "assistant")) {
		inspect_said(s, m);
		builder_llm_call(b, (struct str){ 0 });
	} else if (str_is(role, "tool")) {
		read_tool(s, m);
	}
}

/* Input here has nothing of the caches; output has what was thought. */
static void
read_usage(struct builder *b, const struct json *models)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "input_tokens",
		[USAGE_OUTPUT] = "output_tokens",
		[USAGE_CACHE_READ] = "input_tokens_cache_read",
		[USAGE_CACHE_WRITE] = "input_tokens_cache_write",
		[USAGE_REASONING] = "reasoning_tokens",
		[USAGE_COST] = "total_cost",
	};
	struct usage all = { 0 };

	for (json_members(name, models)) {
		const struct json *m = json_value(name);
		struct usage u = { 0 };

		usage_read_named(&u, m, words);
		usage_add(&all, &u);
	}
	builder_total(b, &all);
}

static void
read_about(
    struct builder *b, const struct json *eval, const struct json *sample)
{
	builder_set(b, RUN_GROUP, field_find(eval, "run_id task"));
	builder_set(b, RUN_SCENARIO, json_get(sample, "id"));
	builder_set(b, RUN_INDEX, json_get(sample, "epoch"));
	builder_model(b, json_get(eval, "model"));
	builder_meta(b, "task", json_get(eval, "task"));
	builder_meta(b, "scores", json_get(sample, "scores"));
	builder_meta(b, "limit", json_get(sample, "limit"));
	builder_meta(b, "retried",
	    json_path(
		json_first(json_get(sample, "error_retries")), "message"));
	builder_span(b, json_get(sample, "started_at"),
	    json_get(sample, "completed_at"));
	if (field_find(sample, "completed_at") == NULL)
		builder_duration(
		    b, json_double(json_get(sample, "total_time")) * 1000);
}

static void
read_sample(struct log *log, const struct json *eval, const struct json *sample)
{
	struct inspect_sample s = {
		.builder = log->builder,
		.arena = log->scratch,
		.told.arena = log->scratch,
	};

	arena_reset(log->scratch);
	s.attachments =
	    json_keys_last(json_get(sample, "attachments"), log->scratch);
	log_source(log, sample);
	builder_begin_run(s.builder);
	read_about(s.builder, eval, sample);
	for (json_each(m, json_get(sample, "messages")))
		read_message(&s, m);
	inspect_events(&s, json_get(sample, "events"));
	read_usage(s.builder, json_get(sample, "model_usage"));
	if (eval == NULL)
		builder_model(s.builder, json_path(sample, "output.model"));
	builder_error(s.builder, json_get(sample, "error"));
	builder_end_run(s.builder);
}

/* In an archive what was evaluated stands before the samples. */
static void
read_record(struct log *log, const struct json *r)
{
	const struct json *eval = json_get(r, "eval");
	const struct json **start = log->state;

	if (is_sample(r)) {
		read_sample(log, start == NULL ? NULL : *start, r);
	} else if (is_start(r)) {
		log->state = start = arena_new(log->arena, const struct json *);
		*start = copy_tree(log->arena, eval);
	}
	for (json_each(sample, json_get(r, "samples")))
		read_sample(log, eval, sample);
}

const struct log_format log_format_inspect = {
	.name = "inspect",
	.what = "inspect_ai logs as JSON",
	.score = score,
	.read = read_record,
};
