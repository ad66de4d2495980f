/*
 * Events of the plugin openclaw-telemetry, one a line: {"type": "tool.start",
 * "toolName", "params", "sessionKey", "seq", "ts"}. The events of several
 * sessions are interleaved. They have the lengths of prompts and of messages,
 * but no texts and no results. The names are those of the plugin's src/types.ts.
 */
#include "extract/format/log_rows.h"

static bool
has_no_session(const struct json *r)
{
	return field_is_type(r, "message.in message.out message.sending");
}

static void
before(struct log *log, const struct json *r)
{
	if (has_no_session(r))
		return;
	log_run(log, json_get(r, "sessionKey"));
	builder_set_first(log->builder, RUN_AGENT, json_get(r, "agentId"));
	builder_set_first(log->builder, RUN_PROVIDER, json_get(r, "provider"));
	builder_locate(log->builder, .ts = json_get(r, "ts"));
}

static const struct log_row rows[] = {
	LOG_ROW("type=message.in|message.out|message.sending", LOG_NOTHING),
	LOG_ROW("type=agent.start", LOG_INPUT),
	LOG_ROW("type=agent.end", LOG_ERROR, .of = "error"),
	LOG_ROW("type=llm.usage", LOG_MODEL, .of = "model"),
	LOG_ROW("type=llm.usage", LOG_USAGE,
	    .counts = LOG_COUNTS([USAGE_INPUT] = "inputTokens",
		[USAGE_OUTPUT] = "outputTokens",
		[USAGE_CACHE_READ] = "cacheTokens", [USAGE_COST] = "costUsd")),
	LOG_ROW(
	    "type=tool.start", LOG_CALL, .tool = "toolName", .args = "params"),
	LOG_ROW("type=tool.end", LOG_RESULT, .tool = "toolName",
	    .result = "error", .ok = "success", .duration = "durationMs"),
	LOG_LAST,
};

const struct log_format log_format_openclaw_telemetry = {
	.name = "openclaw-telemetry",
	.what = "openclaw-telemetry: events of the plugin",
	.sure = "seq=# ts=# type=tool.start|tool.end|llm.usage|agent.start|"
		"agent.end|message.in|message.out",
	.before = before,
	.rows = rows,
	.unidentified = UNIDENTIFIED_IN_ORDER,
};
