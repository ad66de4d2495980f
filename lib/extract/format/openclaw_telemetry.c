/*
 * Events of the plugin openclaw-telemetry, one a line: {"type": "tool.start",
 * "toolName", "params", "sessionKey", "seq", "ts"}. The events of several
 * sessions are interleaved. They have the lengths of prompts and of messages,
 * but no texts and no results. The format is C because a turn begins without a
 * prompt, and because an error is the run's only at the end of an agent. The
 * names are those of the plugin's src/types.ts.
 */
#include "extract/format/log_format.h"
#include "extract/format/resent_history.h"

static int
score(const struct json *r)
{
	return field_is_type(r,
		   "tool.start tool.end llm.usage agent.start agent.end "
		   "message.in message.out") &&
		json_is(json_get(r, "seq"), JSON_NUMBER) &&
		json_is(json_get(r, "ts"), JSON_NUMBER)
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* Makes the event's session the current run. */
static void
begin(struct log *log, const struct json *session)
{
	struct builder *b = log->builder;
	struct str id = json_raw(session);

	if (id.n == 0 || str_eq(id, log->id))
		return;
	if (log->id.s == NULL || !resent_history_follows(b, id)) {
		if (log->id.s != NULL)
			builder_begin_run(b);
		builder_set(b, RUN_ID, session);
		resent_history_answer(b, id);
	}
	log->id = copy_body(log->arena, session);
}

static void
read_usage(struct builder *b, const struct json *r)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "inputTokens",
		[USAGE_OUTPUT] = "outputTokens",
		[USAGE_CACHE_READ] = "cacheTokens",
		[USAGE_COST] = "costUsd",
	};
	struct usage u = { 0 };

	builder_model(b, json_get(r, "model"));
	builder_set_first(b, RUN_PROVIDER, json_get(r, "provider"));
	usage_read_named(&u, r, words);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *tool = json_get(r, "toolName");

	if (score(r) == 0 || field_is_type(r, "message.in message.out"))
		return;
	begin(log, json_get(r, "sessionKey"));
	builder_set_first(b, RUN_AGENT, json_get(r, "agentId"));
	builder_locate(b, .ts = json_get(r, "ts"));
	if (field_is_type(r, "agent.start"))
		builder_input(b);
	else if (field_is_type(r, "agent.end"))
		builder_error(b, field_find(r, "error"));
	else if (field_is_type(r, "llm.usage"))
		read_usage(b, r);
	else if (field_is_type(r, "tool.start"))
		builder_call(b, .tool = tool, .args = json_get(r, "params"));
	else
		builder_result(b, .tool = tool, .value = field_find(r, "error"),
		    .ok = json_get(r, "success"),
		    .duration = json_get(r, "durationMs"));
}

const struct log_format log_format_openclaw_telemetry = {
	.name = "openclaw-telemetry",
	.what = "openclaw-telemetry: events of the plugin",
	.score = score,
	.signs = "seq",
	.read = read_record,
};
