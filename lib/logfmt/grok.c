/*
 * What Grok's command line prints: json, one object at the end, and
 * streaming-json, whose chunks hold the answer; neither tells of calls. And
 * the messages that it keeps of a session (chat_history.jsonl).
 */
#include "../logfmt.h"
#include "marked.h"

/* A message, which has its role for a type. */
static bool
is_message(const struct json *r)
{
	return json_get(r, STR("content")) != NULL &&
	    log_is_type(r, "user assistant tool_result") &&
	    log_find(r, "role message id session_id") == NULL;
}

static int
score(const struct json *r)
{
	const struct json *reason = json_get(r, STR("stopReason"));

	if (is_message(r))
		return json_get(r, STR("tool_call_id")) != NULL ||
			json_get(json_at(json_get(r, STR("tool_calls")), 0),
			    STR("name")) != NULL
		    ? LOGFMT_SURE
		    : LOGFMT_SURE / 5;

	if (json_is(reason, JSON_STRING) &&
	    (json_is(json_get(r, STR("text")), JSON_STRING) ||
		log_is_type(r, "end")))
		return LOGFMT_SURE;
	return log_is_type(r, "text thought") &&
		json_is(json_get(r, STR("data")), JSON_STRING)
	    ? LOGFMT_SURE / 2
	    : 0;
}

static void
read_end(struct builder *b, const struct json *r)
{
	const struct json *counts = json_get(r, STR("usage"));
	struct usage u = { 0 };

	usage_read(&u, USAGE_INPUT, json_get(counts, STR("input_tokens")));
	usage_read(&u, USAGE_CACHE_READ,
	    json_get(counts, STR("cache_read_input_tokens")));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, STR("output_tokens")));
	usage_read(&u, USAGE_COST, json_get(r, STR("total_cost_usd")));
	builder_text(b, json_get(r, STR("text")));
	if (u.known != 0)
		builder_total(b, &u);
	builder_set(b, RUN_ID, log_find(r, "sessionId session_id"));
	if (log_is(r, "stopReason", "cancelled Cancelled"))
		builder_error(b, json_get(r, STR("stopReason")));
	builder_done(b);
}

/* ---- kept messages ---- */

static void
read_prompt(struct builder *b, const struct json *content)
{
	const struct str open = STR("<user_query>");
	const struct str close = STR("</user_query>");

	if (json_is(content, JSON_STRING))
		builder_prompt_body(b, marked(json_raw(content), open, close));
	for (json_each(block, content)) {
		const struct json *text = json_get(block, STR("text"));

		if (json_is(text, JSON_STRING))
			builder_prompt_body(
			    b, marked(json_raw(text), open, close));
	}
}

static void
read_message(struct builder *b, const struct json *m)
{
	const struct json *content = json_get(m, STR("content"));

	if (log_is_type(m, "tool_result")) {
		builder_result(b,
		    &(struct builder_result){
			.id = json_get(m, STR("tool_call_id")),
			.value = content,
		    });
	} else if (log_is_type(m, "user")) {
		if (log_find(m, "synthetic_reason") == NULL)
			read_prompt(b, content);
	} else {
		builder_text(b, content);
		for (json_each(call, json_get(m, STR("tool_calls"))))
			builder_call(b,
			    &(struct builder_call){
				.id = json_get(call, STR("id")),
				.tool = json_get(call, STR("name")),
				.args = json_get(call, STR("arguments")),
				.decode = true,
			    });
		builder_answered(b, (struct str){ 0 });
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_at(b, &(struct builder_at){ 0 });
	if (is_message(r)) {
		read_message(b, r);
		return;
	}
	if (log_is_type(r, "system reasoning user assistant tool_result"))
		return;
	builder_the_run(b);
	builder_no_calls(b);
	builder_no_prompt(b);
	if (log_is_type(r, "text"))
		builder_text_more(b, json_get(r, STR("data")));
	else if (log_is_type(r, "error"))
		builder_error(b, json_get(r, STR("message")));
	else if (json_get(r, STR("stopReason")) != NULL)
		read_end(b, r);
}

const struct logfmt logfmt_grok = {
	.name = "grok",
	.what = "what Grok prints, and chat_history.jsonl of its sessions",
	.score = score,
	.read = read_record,
};
