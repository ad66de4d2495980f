/*
 * PromptKit Arena: a run's results, and recordings of sessions, whose events
 * are messages.
 */
#include "../logfmt.h"

static int
score(const struct json *r)
{
	const struct json *event = json_at(json_get(r, STR("events")), 0);

	if (json_get(r, STR("RunID")) != NULL &&
	    json_get(r, STR("Messages")) != NULL)
		return LOGFMT_SURE;
	if (json_path(r, "metadata.session_id") != NULL &&
	    log_find(event, "message data") != NULL)
		return LOGFMT_SURE;
	return json_get(r, STR("seq")) != NULL &&
		json_path(r, "event.session_id") != NULL
	    ? LOGFMT_SURE
	    : 0;
}

/* ---- messages: results spell their members small, recordings as in Go ---- */

/* A content of parts is repeated as a summary beside them. */
static void
read_said(struct builder *b, const struct json *m, bool by_user)
{
	const struct json *parts = log_find(m, "parts Parts");
	bool texts = false;

	for (json_each(part, parts)) {
		const struct json *text = json_get(part, STR("text"));

		if (!json_is(text, JSON_STRING) ||
		    json_str_is(json_get(part, STR("type")), STR("thinking")))
			continue;
		texts = true;
		if (by_user)
			builder_prompt(b, text);
		else
			builder_text(b, text);
	}
	if (texts)
		return;
	if (by_user)
		builder_prompt(b, log_find(m, "content Content"));
	else
		builder_text(b, log_find(m, "content Content"));
}

/* A simulated user's tokens are none of the agent's. */
static void
read_usage(struct builder *b, const struct json *cost)
{
	struct usage u = { 0 };

	usage_read(&u, USAGE_CACHE_READ, json_get(cost, STR("cached_tokens")));
	usage_read(&u, USAGE_INPUT, json_get(cost, STR("input_tokens")));
	usage_read(&u, USAGE_OUTPUT, json_get(cost, STR("output_tokens")));
	usage_read(&u, USAGE_COST, json_get(cost, STR("total_cost_usd")));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_result(struct builder *b, const struct json *m, const struct json *result)
{
	const struct json *error = log_find(result, "error Error");
	const struct json *parts = log_find(result, "parts Parts");
	const struct json *value = log_find(result, "content Content");
	bool failed = json_raw(error).n != 0;

	if (value == NULL)
		value = parts != NULL ? parts : log_find(m, "content");
	builder_result(b,
	    &(struct builder_result){
		.id = log_find(result, "id ID"),
		.tool = log_find(result, "name Name"),
		.value = failed ? error : value,
		.is_error = builder_bool(failed),
		.duration = log_find(result, "latency_ms LatencyMs"),
	    });
}

/* What looked at the message, and where the workflow stood. */
static void
read_states(struct builder *b, const struct json *m)
{
	const struct json *now = json_path(m, "meta.current_workflow_state");
	const struct json *then = json_path(m, "meta._workflow_state");

	for (json_each(v, json_get(m, STR("validations"))))
		builder_guardrail(b,
		    &(struct builder_guardrail){
			.name = json_get(v, STR("validator_type")),
			.passed = json_get(v, STR("passed")),
			.details = json_get(v, STR("details")),
		    });
	if (json_get(then, STR("previous_state")) != NULL)
		builder_transition(b, json_get(then, STR("previous_state")),
		    json_get(then, STR("current_state")),
		    json_get(then, STR("transition")));
	if (now == NULL)
		now = then;
	builder_state(b, json_get(now, STR("current_state")),
	    json_is(json_get(now, STR("terminal")), JSON_TRUE));
}

static void
read_message(struct builder *b, const struct json *m, const struct json *ts)
{
	struct str role = json_raw(log_find(m, "role Role"));
	const struct json *result = log_find(m, "tool_result ToolResult");
	bool by_user = str_is(role, "user");

	builder_at(b, &(struct builder_at){ .ts = ts });
	if (json_is(result, JSON_OBJECT))
		read_result(b, m, result);
	else if (by_user || str_is(role, "assistant"))
		read_said(b, m, by_user);
	/* A user's message repeats the calls that follow it. */
	for (json_each(
		 call, by_user ? NULL : log_find(m, "tool_calls ToolCalls")))
		builder_call(b,
		    &(struct builder_call){
			.id = json_get(call, STR("id")),
			.tool = log_find(call, "name function.name"),
			.args = log_find(call, "args function.arguments"),
			.decode = true,
		    });
	if (str_is(role, "assistant"))
		read_usage(b, json_get(m, STR("cost_info")));
	read_states(b, m);
}

/* ---- runs ---- */

static void
read_run(struct builder *b, const struct json *r)
{
	double ns = json_double(json_get(r, STR("Duration")));

	builder_run(b);
	builder_set(b, RUN_ID, json_get(r, STR("RunID")));
	builder_set(b, RUN_SCENARIO, json_get(r, STR("ScenarioID")));
	builder_set(b, RUN_AGENT, json_get(r, STR("ProviderID")));
	builder_span(
	    b, json_get(r, STR("StartTime")), json_get(r, STR("EndTime")));
	builder_duration(b, ns / 1e6);
	builder_meta(b, "region", json_get(r, STR("Region")));
	builder_meta(b, "persona", json_get(r, STR("PersonaID")));
	builder_meta(
	    b, "assertions", json_get(r, STR("conversation_assertions")));
	for (json_each(m, json_get(r, STR("Messages"))))
		read_message(b, m, log_find(m, "timestamp"));
	builder_error(b, json_get(r, STR("Error")));
	builder_done(b);
}

/* ---- recordings ---- */

static void
read_event(struct builder *b, const struct json *e)
{
	const struct json *type = json_get(e, STR("type"));
	const struct json *data = json_get(e, STR("data"));
	const struct json *ts = json_get(e, STR("timestamp"));

	builder_set(b, RUN_ID, log_find(e, "session_id"));
	if (json_str_is(type, STR("message")))
		read_message(b, json_get(e, STR("message")), ts);
	else if (json_str_is(type, STR("message.created")))
		read_message(b, data, ts);
	else if (json_str_is(type, STR("workflow.transitioned")))
		builder_transition(b, json_get(data, STR("from_state")),
		    json_get(data, STR("to_state")),
		    json_get(data, STR("event")));
	else if (json_str_is(type, STR("workflow.completed")))
		builder_state(b, json_get(data, STR("final_state")), true);
	else if (json_str_is(type, STR("provider.call.completed")))
		builder_model(b, json_get(data, STR("Model")));
}

static void
read_recording(struct builder *b, const struct json *r)
{
	const struct json *about = json_get(r, STR("metadata"));

	builder_run(b);
	builder_set(b, RUN_ID, json_get(about, STR("session_id")));
	builder_set(b, RUN_AGENT, log_find(about, "provider_id provider_name"));
	builder_model(b, json_get(about, STR("model")));
	builder_span(b, json_get(about, STR("start_time")),
	    json_get(about, STR("end_time")));
	for (json_each(e, json_get(r, STR("events"))))
		read_event(b, e);
	if (json_get(about, STR("session_id")) != NULL)
		builder_set(b, RUN_ID, json_get(about, STR("session_id")));
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *event = json_get(r, STR("event"));

	if (json_get(r, STR("RunID")) != NULL)
		read_run(log->builder, r);
	else if (json_get(r, STR("metadata")) != NULL)
		read_recording(log->builder, r);
	else if (event != NULL)
		read_event(log->builder, event);
}

const struct logfmt logfmt_promptkit = {
	.name = "promptkit",
	.what = "PromptKit Arena: results of a run, and recordings",
	.score = score,
	.read = read_record,
};
