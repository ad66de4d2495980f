/* Cohere's Chat: responses and streams of its second and its first version. A
 * run for each response. */
#include "../logfmt.h"

static bool
is_stream(const struct json *r)
{
	return json_path(r, "delta.message") != NULL ||
	    (log_is_type(r, "message-end") &&
		json_get(r, STR("delta")) != NULL);
}

static int
score(const struct json *r)
{
	bool first = json_get(r, STR("event_type")) != NULL &&
	    json_get(r, STR("is_finished")) != NULL;

	return is_stream(r) || first ||
		(json_path(r, "message.tool_plan") != NULL &&
		    json_get(r, STR("finish_reason")) != NULL) ||
		(json_get(r, STR("generation_id")) != NULL &&
		    json_get(r, STR("text")) != NULL) ||
		json_path(r, "usage.billed_units") != NULL
	    ? LOGFMT_SURE
	    : 0;
}

static void
read_usage(struct builder *b, const struct json *counts)
{
	struct usage u = { 0 };

	usage_read(
	    &u, USAGE_CACHE_READ, json_get(counts, STR("cached_tokens")));
	usage_input_with_cache(&u, json_path(counts, "tokens.input_tokens"));
	usage_read(&u, USAGE_OUTPUT, json_path(counts, "tokens.output_tokens"));
	builder_usage(b, STR("response"), &u, false);
}

/* ---- the second version ---- */

static void
read_call(struct builder *b, const struct json *call, bool whole)
{
	builder_call(b,
	    &(struct builder_call){
		.id = json_get(call, STR("id")),
		.tool = json_path(call, "function.name"),
		.args = whole ? json_path(call, "function.arguments") : NULL,
		.decode = true,
	    });
	if (!whole)
		builder_args_more(b, json_get(call, STR("id")),
		    json_path(call, "function.arguments"));
}

/* What the model plans is said before it calls: no answer. */
static void
read_plan(struct builder *b, const struct json *plan)
{
	if (json_raw(plan).n == 0)
		return;
	builder_text_more(b, plan);
	builder_aside(b);
	builder_at(b, &(struct builder_at){ 0 }); /* the answer is another */
}

static void
read_message(struct builder *b, const struct json *r)
{
	const struct json *m = json_get(r, STR("message"));

	read_plan(b, json_get(m, STR("tool_plan")));
	for (json_each(block, json_get(m, STR("content"))))
		builder_text(b, json_get(block, STR("text")));
	for (json_each(call, json_get(m, STR("tool_calls"))))
		read_call(b, call, true);
	read_usage(b, json_get(r, STR("usage")));
}

static void
read_event(struct builder *b, const struct json *r)
{
	const struct json *m = json_path(r, "delta.message");
	const struct json *call = json_get(m, STR("tool_calls"));

	if (log_is_type(r, "tool-plan-delta"))
		read_plan(b, json_get(m, STR("tool_plan")));
	else if (log_is_type(r, "content-start"))
		builder_text_ends(b);
	if (log_is_type(r, "content-start content-delta"))
		builder_text_more(b, json_path(m, "content.text"));
	else if (log_is_type(r, "tool-call-start"))
		read_call(b, call, false);
	else if (log_is_type(r, "tool-call-delta"))
		builder_args_more(
		    b, NULL, json_path(call, "function.arguments"));
	else if (log_is_type(r, "message-end")) {
		builder_broken(b, false);
		read_usage(b, json_path(r, "delta.usage"));
		builder_error(b, json_path(r, "delta.error"));
	}
}

/* ---- the first version ---- */

static void
read_first(struct builder *b, const struct json *r)
{
	builder_text(b, json_get(r, STR("text")));
	for (json_each(call, json_get(r, STR("tool_calls"))))
		builder_call(b,
		    &(struct builder_call){
			.tool = json_get(call, STR("name")),
			.args = json_get(call, STR("parameters")),
		    });
	read_usage(b, json_get(r, STR("meta")));
}

static void
read_first_event(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *whole = json_get(r, STR("response"));

	if (log_is(r, "event_type", "stream-start")) {
		builder_run(b);
		builder_set(b, RUN_ID, json_get(r, STR("generation_id")));
		builder_broken(b, true);
	} else if (log_is(r, "event_type", "text-generation")) {
		builder_text_more(b, json_get(r, STR("text")));
	} else if (log_is(r, "event_type", "stream-end")) {
		builder_broken(b, false);
		for (json_each(call, json_get(whole, STR("tool_calls"))))
			builder_call(b,
			    &(struct builder_call){
				.tool = json_get(call, STR("name")),
				.args = json_get(call, STR("parameters")),
			    });
		read_usage(b, json_get(whole, STR("meta")));
	}
}

/* ---- records ---- */

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	if (json_get(r, STR("event_type")) != NULL) {
		read_first_event(log, r);
	} else if (json_get(r, STR("type")) == NULL) {
		if (log_find(r, "message text") == NULL)
			return;
		builder_run(b);
		builder_set(
		    b, RUN_ID, log_find(r, "id response_id generation_id"));
		if (json_get(r, STR("message")) != NULL)
			read_message(b, r);
		else
			read_first(b, r);
		builder_done(b);
	} else {
		if (log_is_type(r, "message-start")) {
			builder_run(b);
			builder_set(b, RUN_ID, json_get(r, STR("id")));
			builder_broken(b, true);
		}
		read_event(b, r);
	}
}

const struct logfmt logfmt_cohere = {
	.name = "cohere",
	.what = "Cohere Chat: responses and streams, versions 2 and 1",
	.score = score,
	.read = read_record,
};
