/*
 * Events of Muse Code, one a line: {"record_type": "event", "recorded_at",
 * "payload_type": "tool.result", "payload": {...}}. In the stream that is
 * printed, a call of a tool is a side_effect_intent, which has the tool's name but
 * no arguments: the stream does not hold these. In the file of a session,
 * session.jsonl, events of the type runtime.session have calls and messages as a
 * whole; an export has such events in one document.
 */
#include "extract/api/openai_item.h"
#include "extract/format/log_rows.h"

/* ---- sessions ---- */

/* Reads a result. That of a command is a report, whose exit code says whether
 * the command failed. */
static void
read_session_result(struct log *log, const struct json *result)
{
	const struct json *text = json_get(result, "text");
	const struct json *code =
	    json_get(field_decode(log->scratch, text), "exit_code");
	bool failed = json_is(json_get(result, "is_error"), JSON_TRUE) ||
	    (json_is(code, JSON_NUMBER) && json_double(code) != 0);

	builder_result(log->builder, .id = json_get(result, "tool_call_id"),
	    .value = text,
	    .is_error =
		failed ? builder_bool(true) : json_get(result, "is_error"));
}

static const struct log_row events[] = {
	LOG_ROW("kind=started", LOG_PROMPT, .of = "prompt"),
	LOG_ROW("kind=started", LOG_NO_ERROR),
	LOG_ROW("kind=started", LOG_OPEN), /* until its end is read */
	LOG_ROW("kind=assistant_message_committed|"
		"assistant_tool_calls_committed",
	    LOG_MESSAGE_BY_ORDER),
	LOG_ROW("kind=assistant_message_committed", LOG_TEXT, .of = "text"),
	LOG_ROW("kind=assistant_tool_calls_committed", LOG_CALL,
	    .each = "tool_calls", .id = "call_id id", .tool = "name",
	    .args = "args", .decode = true),
	LOG_ROW("kind=tool_result_batch_committed", LOG_HOOK, .each = "results",
	    .read = read_session_result),
	LOG_ROW("kind=model_completed", LOG_MODEL, .of = "model"),
	LOG_ROW("kind=model_completed", LOG_USAGE, .of = "usage",
	    .count = openai_item_usage),
	LOG_ROW("kind=terminal", LOG_CLOSED),
	LOG_ROW("kind=terminal terminal=failed", LOG_ERROR,
	    .of = "reason terminal"),
	LOG_ROW("kind=terminal !terminal=failed|completed", LOG_META,
	    .name = "interrupted", .of = "reason terminal"),
	LOG_ROW("kind=reasoning_summary_committed|reasoning_committed|"
		"model_response_created|goal_usage_attribution",
	    LOG_NOTHING),
	LOG_LAST,
};

/* ---- streams ---- */

/* Returns the part of a string after the mark it begins with; NULL if it does
 * not begin so. */
static const struct json *
behind(struct builder *b, const struct json *string, struct str mark)
{
	struct str body = json_raw(string);

	return str_starts(body, mark) ? builder_str(b, str_from(body, mark.n))
				      : NULL;
}

static void
read_intent(struct log *log, const struct json *event)
{
	struct builder *b = log->builder;
	const struct str mark = STR("tool:");
	const struct json *tool = behind(b, json_get(event, "operation"), mark);

	if (tool != NULL)
		builder_call(b,
		    .id = behind(b, json_get(event, "idempotency_key"), mark),
		    .tool = tool);
}

static void
read_result(struct log *log, const struct json *payload)
{
	const struct json *facts = json_get(payload, "correlation_facts");
	const struct json *apply = json_get(facts, "outcome");

	builder_result(log->builder, .id = json_get(payload, "call_id"),
	    .tool = json_get(facts, "tool_name"),
	    .value = json_get(payload, "text"),
	    .is_error = apply == NULL
		? NULL
		: builder_bool(json_str_is(apply, "failure")));
}

/* ---- records ---- */

#define RUN "payload_type=runtime.session payload.kind=run"
#define EXPORTED_RUN \
	"envelope.payload_type=runtime.session envelope.payload.kind=run"
#define TERMINAL "payload_type=run.terminal.*"

/* Other records of a session. */
static const struct log_row other[] = {
	LOG_ROW("payload_type=runtime.session "
		"payload.kind=task|approval|session|metadata",
	    LOG_NOTHING),
	LOG_ROW("payload_type=runtime.session.*|runtime.command.*|session.*|"
		"runtime.user_intent.*|turn.input.*|tool_batch.effect.*|"
		"task.*",
	    LOG_NOTHING),
	LOG_ROW("record_type=retained_marker", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row exported[] = {
	LOG_ROW(EXPORTED_RUN, LOG_HOOK, .read = log_source),
	LOG_ROW(EXPORTED_RUN, LOG_RUN, .of = "derived.session_id"),
	LOG_ROW(EXPORTED_RUN, LOG_LOCATE, .of = "envelope.recorded_at"),
	LOG_ROW(EXPORTED_RUN, LOG_IN, .of = "envelope.payload.event",
	    .rows = events),
	LOG_ROW("envelope else", LOG_IN, .of = "envelope", .rows = other),
	LOG_LAST,
};

/* Reads a record that is kept within another one, as text. */
static void
read_retained(struct log *log, const struct json *text)
{
	log_read_by_rows(log, field_decode(log->scratch, text));
}

static const struct log_row retained[] = {
	LOG_ROW("record_json", LOG_HOOK, .of = "record_json",
	    .read = read_retained),
	LOG_LAST,
};

/* The run comes before the time, which is put into the open run. */
static const struct log_row rows[] = {
	LOG_ROW("export_schema_version", LOG_EACH, .of = "events",
	    .rows = exported),
	LOG_ROW("record_type=retained_frame", LOG_EACH, .of = "children",
	    .rows = retained),
	LOG_ROW(RUN, LOG_RUN, .of = "stream.id"),
	LOG_ROW("payload_type !payload_type=runtime.session, " RUN, LOG_LOCATE,
	    .of = "recorded_at"),
	LOG_ROW(RUN, LOG_IN, .of = "payload.event", .rows = events),
	LOG_ROW("payload_type=run.model.configured", LOG_MODEL,
	    .of = "payload.model_id"),
	LOG_ROW("payload_type=run.model.configured", LOG_SET,
	    .member = RUN_PROVIDER, .of = "payload.provider_id"),
	LOG_ROW("payload_type=run.lifecycle.started", LOG_PROMPT,
	    .of = "payload.prompt"),
	LOG_ROW("payload_type=task.lifecycle.side_effect_intent", LOG_HOOK,
	    .of = "payload.event", .read = read_intent),
	LOG_ROW("payload_type=tool.result", LOG_HOOK, .of = "payload",
	    .read = read_result),
	LOG_ROW(
	    "payload_type=run.output.delta", LOG_PIECE, .of = "payload.text"),
	LOG_ROW(TERMINAL, LOG_SET, .member = RUN_FINAL, .of = "payload.text"),
	LOG_ROW(TERMINAL " !payload_type=run.terminal.completed", LOG_ERROR,
	    .of = "payload.reason payload.text payload.terminal"),
	LOG_ROW(TERMINAL, LOG_END),
	LOG_ROW("payload_type else, record_type else", LOG_IN, .of = "",
	    .rows = other),
	LOG_LAST,
};

const struct log_format log_format_muse = {
	.name = "muse",
	.what = "Muse Code: sessions, exports, event streams",
	.sure = "export_schema_version events.0.envelope.payload_type, "
		"payload_type record_type payload={ !export_schema_version",
	.session = "payload.command_id",
	.record_id = "id stream.id",
	.rows = rows,
};
