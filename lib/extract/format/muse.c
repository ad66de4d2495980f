/*
 * Event streams of Muse, one event a line: {"record_type": "event",
 * "recorded_at", "payload_type": "tool.result", "payload": {...}}. A call of a
 * tool is a side_effect_intent, which has the tool's name but no arguments: the
 * stream does not hold these.
 */
#include "extract/format/log_format.h"

static int
score(const struct json *r)
{
	return json_get(r, "payload_type") != NULL &&
		json_get(r, "record_type") != NULL &&
		json_is(json_get(r, "payload"), JSON_OBJECT)
	    ? LOG_FORMAT_SURE
	    : 0;
}

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
	.what = "Muse: event streams",
	.score = score,
	.read = read_record,
};
