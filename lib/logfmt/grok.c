/* What Grok's command line prints: json, one object at the end, and
 * streaming-json, whose chunks hold the answer. Neither tells of calls. */
#include "../logfmt.h"

static int
score(const struct json *r)
{
	const struct json *reason = json_get(r, STR("stopReason"));

	if (json_is(reason, JSON_STRING) &&
	    (json_is(json_get(r, STR("text")), JSON_STRING) ||
		log_is(r, "type", "end")))
		return LOGFMT_SURE;
	return log_is(r, "type", "text thought") &&
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

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_at(b, &(struct builder_at){ 0 });
	builder_the_run(b);
	builder_no_calls(b);
	builder_no_prompt(b);
	if (log_is(r, "type", "text"))
		builder_text_more(b, json_get(r, STR("data")));
	else if (log_is(r, "type", "error"))
		builder_error(b, json_get(r, STR("message")));
	else if (json_get(r, STR("stopReason")) != NULL)
		read_end(b, r);
}

const struct logfmt logfmt_grok = {
	.name = "grok",
	.what = "what Grok's command line prints: json and streaming-json",
	.score = score,
	.read = read_record,
};
