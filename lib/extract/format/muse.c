/*
 * Events of Muse Code, one a line: {"record_type": "event", "recorded_at",
 * "payload_type": "tool.result", "payload": {...}}. In the stream that is
 * printed, a call of a tool is a side_effect_intent, which has the tool's name but
 * no arguments: the stream does not hold these. In the file of a session,
 * session.jsonl, events of the type runtime.session have calls and messages as a
 * whole; an export has such events in one document.
 */
#include "extract/api/openai_item.h"
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	if (json_get(r, "export_schema_version") != NULL)
		return json_path(json_first(json_get(r, "events")),
			   "envelope.payload_type") != NULL
		    ? LOG_FORMAT_SURE
		    : 0;
	return json_get(r, "payload_type") != NULL &&
		json_get(r, "record_type") != NULL &&
		json_is(json_get(r, "payload"), JSON_OBJECT)
	    ? LOG_FORMAT_SURE
	    : 0;
}

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

static void
read_call(struct builder *b, const struct json *call)
{
	builder_call(b, .id = field_find(call, "call_id id"),
	    .tool = json_get(call, "name"), .args = json_get(call, "args"),
	    .decode = true);
}

static void
read_terminal(struct builder *b, const struct json *e)
{
	const struct json *how = json_get(e, "terminal");
	const struct json *why = field_find(e, "reason");

	if (json_str_is(how, "failed"))
		builder_error(b, why != NULL ? why : how);
	else if (!json_str_is(how, "completed"))
		builder_meta(b, "interrupted", why != NULL ? why : how);
	builder_set_broken(b, false);
}

/* Reads an event of a session, whose id is given. */
static void
read_session(struct log *log, const struct json *r, const struct json *id)
{
	struct builder *b = log->builder;
	const struct json *payload = json_get(r, "payload");
	const struct json *e = json_get(payload, "event");
	struct usage u = { 0 };

	if (!field_is(payload, "kind", "run"))
		return;
	log_run(log, id);
	builder_locate(b, .ts = json_get(r, "recorded_at"));
	if (field_is(e, "kind", "started")) {
		builder_prompt(b, json_get(e, "prompt"));
		builder_error(b, NULL);
		builder_set_broken(b, true); /* until its end is read */
	} else if (field_is(e, "kind", "assistant_message_committed")) {
		builder_text(b, json_get(e, "text"));
	} else if (field_is(e, "kind", "assistant_tool_calls_committed")) {
		for (json_each(call, json_get(e, "tool_calls")))
			read_call(b, call);
	} else if (field_is(e, "kind", "tool_result_batch_committed")) {
		for (json_each(result, json_get(e, "results")))
			read_session_result(log, result);
	} else if (field_is(e, "kind", "model_completed")) {
		builder_model(b, json_get(e, "model"));
		openai_item_usage(&u, json_get(e, "usage"));
		builder_usage(b, (struct str){ 0 }, &u, false);
	} else if (field_is(e, "kind", "terminal")) {
		read_terminal(b, e);
	}
}

/* Reads what "muse export" writes. */
static void
read_export(struct log *log, const struct json *r)
{
	for (json_each(event, json_get(r, "events"))) {
		const struct json *envelope = json_get(event, "envelope");

		log_source(log, event);
		if (field_is(envelope, "payload_type", "runtime.session"))
			read_session(log, envelope,
			    json_path(event, "derived.session_id"));
	}
}

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
read_intent(struct builder *b, const struct json *event)
{
	const struct str mark = STR("tool:");
	const struct json *tool = behind(b, json_get(event, "operation"), mark);

	if (tool != NULL)
		builder_call(b,
		    .id = behind(b, json_get(event, "idempotency_key"), mark),
		    .tool = tool);
}

static void
read_result(struct builder *b, const struct json *payload)
{
	const struct json *facts = json_get(payload, "correlation_facts");
	const struct json *apply = json_get(facts, "outcome");

	builder_result(b, .id = json_get(payload, "call_id"),
	    .tool = json_get(facts, "tool_name"),
	    .value = json_get(payload, "text"),
	    .is_error = apply == NULL
		? NULL
		: builder_bool(json_str_is(apply, "failure")));
}

static void
read_end(struct builder *b, const struct json *r, const struct json *payload)
{
	const struct json *text = json_get(payload, "text");

	builder_set(b, RUN_FINAL, text);
	if (!field_is(r, "payload_type", "run.terminal.completed"))
		builder_error(b,
		    field_find(payload, "reason text") != NULL
			? field_find(payload, "reason text")
			: json_get(payload, "terminal"));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, "payload_type");
	const struct json *payload = json_get(r, "payload");

	if (json_get(r, "export_schema_version") != NULL) {
		read_export(log, r);
		return;
	}
	if (json_str_is(type, "runtime.session")) {
		read_session(log, r, json_path(r, "stream.id"));
		return;
	}
	/* The run comes first: builder_locate puts the record's time into the
	 * open run. */
	if (field_is(r, "payload_type",
		"run.model.configured run.lifecycle.started"))
		log_run(log, json_get(payload, "command_id"));
	builder_locate(b, .ts = json_get(r, "recorded_at"));
	if (json_str_is(type, "run.model.configured")) {
		builder_model(b, json_get(payload, "model_id"));
		builder_set(b, RUN_PROVIDER, json_get(payload, "provider_id"));
	} else if (json_str_is(type, "run.lifecycle.started")) {
		builder_prompt(b, json_get(payload, "prompt"));
	} else if (json_str_is(type, "task.lifecycle.side_effect_intent")) {
		read_intent(b, json_get(payload, "event"));
	} else if (json_str_is(type, "tool.result")) {
		read_result(b, payload);
	} else if (json_str_is(type, "run.output.delta")) {
		builder_append_text(b, json_get(payload, "text"));
	} else if (str_starts(json_raw(type), "run.terminal.")) {
		read_end(b, r, payload);
	}
}

const struct log_format log_format_muse = {
	.name = "muse",
	.what = "Muse Code: sessions, exports, event streams",
	.score = score,
	.signs = "export_schema_version payload_type",
	.read = read_record,
};
