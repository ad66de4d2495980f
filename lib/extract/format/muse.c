/*
 * Muse's streams of events, one a line: {"record_type": "event",
 * "recorded_at", "payload_type": "tool.result", "payload": {...}}. That a tool
 * is to be called is a side_effect_intent, which has its name but no arguments:
 * the stream does not hold these.
 */
#include "extract/format/format.h"

static int
score(const struct json *r)
{
	return json_get(r, STR("payload_type")) != NULL &&
		json_get(r, STR("record_type")) != NULL &&
		json_is(json_get(r, STR("payload")), JSON_OBJECT)
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* The part of a string behind a mark; NULL if it has none. */
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
	const struct json *tool =
	    behind(b, json_get(event, STR("operation")), mark);

	if (tool != NULL)
		builder_call(b,
		    &(struct builder_call){
			.id = behind(
			    b, json_get(event, STR("idempotency_key")), mark),
			.tool = tool,
		    });
}

static void
read_result(struct builder *b, const struct json *payload)
{
	const struct json *facts = json_get(payload, STR("correlation_facts"));
	const struct json *apply = json_get(facts, STR("outcome"));

	builder_result(b,
	    &(struct builder_result){
		.id = json_get(payload, STR("call_id")),
		.tool = json_get(facts, STR("tool_name")),
		.value = json_get(payload, STR("text")),
		.is_error = apply == NULL
		    ? NULL
		    : builder_bool(json_str_is(apply, STR("failure"))),
	    });
}

static void
read_end(struct builder *b, const struct json *r, const struct json *payload)
{
	const struct json *text = json_get(payload, STR("text"));

	builder_set(b, RUN_FINAL, text);
	if (!field_is(r, "payload_type", "run.terminal.completed"))
		builder_error(b,
		    field_find(payload, "reason text") != NULL
			? field_find(payload, "reason text")
			: json_get(payload, STR("terminal")));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, STR("payload_type"));
	const struct json *payload = json_get(r, STR("payload"));

	/* First: what is told of a record's time is told of its run. */
	if (field_is(r, "payload_type",
		"run.model.configured run.lifecycle.started"))
		log_run(log, json_get(payload, STR("command_id")));
	builder_locate(b,
	    &(struct builder_locate){ .ts = json_get(r, STR("recorded_at")) });
	if (json_str_is(type, STR("run.model.configured"))) {
		builder_model(b, json_get(payload, STR("model_id")));
		builder_set(
		    b, RUN_PROVIDER, json_get(payload, STR("provider_id")));
	} else if (json_str_is(type, STR("run.lifecycle.started"))) {
		builder_prompt(b, json_get(payload, STR("prompt")));
	} else if (json_str_is(
		       type, STR("task.lifecycle.side_effect_intent"))) {
		read_intent(b, json_get(payload, STR("event")));
	} else if (json_str_is(type, STR("tool.result"))) {
		read_result(b, payload);
	} else if (json_str_is(type, STR("run.output.delta"))) {
		builder_append_text(b, json_get(payload, STR("text")));
	} else if (str_starts(json_raw(type), STR("run.terminal."))) {
		read_end(b, r, payload);
	}
}

const struct log_format log_format_muse = {
	.name = "muse",
	.what = "Muse: streams of events",
	.score = score,
	.read = read_record,
};
