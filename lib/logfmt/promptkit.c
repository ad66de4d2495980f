/*
 * PromptKit Arena: a run's results, and recordings of sessions, whose events
 * are messages.
 */
#include <math.h>

#include "../hash.h"
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

/* What was told of a run so far that the next message may hang on. */
struct told {
	const struct json *state;  /* of the workflow; NULL: not told yet */
	const struct json *events; /* ... and where they lead from it */
	size_t moves;              /* calls since that are to move it on */
	const struct json *event;  /* ... of the only one */
	double asked; /* the index of the user's message before; NAN: none */
	struct log *log;
	struct hash_table *ran; /* what events tell of calls, by their ids */
};

/* What came of a call, as its events tell. */
struct ran {
	double ms;
	const struct json *is_error;
};

/* ---- messages: results spell their members small, recordings as in Go ---- */

/* Whether a user's message is the one before it once more, as in Arena's
 * recordings. */
static bool
is_repeated(const struct json *m, bool by_user, struct told *told)
{
	double before = told->asked;

	told->asked = by_user ? json_double(json_get(m, STR("Index"))) : NAN;
	return told->asked == before;
}

/* A content of parts is repeated as a summary beside them. */
static void
read_said(struct builder *b, const struct json *m, struct told *told)
{
	const struct json *parts = log_find(m, "parts Parts");
	const struct json *said = log_find(m, "content Content");
	bool by_user = json_str_is(log_find(m, "role Role"), STR("user")),
	     texts = false;

	if (is_repeated(m, by_user, told)) {
		(void)builder_turn_now(b);
		return;
	}
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
		builder_prompt(b, said);
	else if (json_raw(said).n != 0)
		builder_text(b, said);
	else if (parts == NULL && log_find(m, "tool_calls ToolCalls") == NULL)
		builder_silence(b);
}

/* A simulated user's tokens are none of the agent's. */
static void
read_usage(struct builder *b, const struct json *cost)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_CACHE_READ] = "cached_tokens",
		[USAGE_INPUT] = "input_tokens",
		[USAGE_OUTPUT] = "output_tokens",
		[USAGE_COST] = "total_cost_usd",
	};
	struct usage u = { 0 };

	usage_read_named(&u, cost, words);
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* Arena's recordings leave the error out, also where there was one. */
static void
read_result(struct builder *b, const struct json *m, const struct json *result,
    struct told *told)
{
	const struct json *error = log_find(result, "error Error");
	const struct json *parts = log_find(result, "parts Parts");
	const struct json *value = log_find(result, "content Content");
	const struct ran *ran = told->ran == NULL
	    ? NULL
	    : hash_get(told->ran, json_raw(log_find(result, "id ID")));
	bool failed = json_raw(error).n != 0,
	     known = error != NULL || json_get(m, STR("role")) != NULL;

	if (json_first(parts) != NULL)
		value = parts;
	if (value == NULL)
		value = log_find(m, "content");
	if (value == NULL)
		value = parts;
	if (failed && (value == NULL || json_str_is(value, STR(""))))
		value = error;
	builder_result(b,
	    &(struct builder_result){
		.id = log_find(result, "id ID"),
		.tool = log_find(result, "name Name"),
		.value = value,
		.is_error = known ? builder_bool(failed)
		    : ran != NULL ? ran->is_error
				  : NULL,
		.duration = log_find(result, "latency_ms LatencyMs"),
	    });
	if (ran != NULL)
		builder_took(b, ran->ms);
	if (failed &&
	    json_str_is(
		json_get(result, STR("name")), STR("workflow__transition")))
		told->event = NULL;
}

static void
read_guardrails(struct builder *b, const struct json *m)
{
	for (json_each(v, json_get(m, STR("validations"))))
		builder_guardrail(b,
		    &(struct builder_guardrail){
			.name = json_get(v, STR("validator_type")),
			.passed = json_get(v, STR("passed")),
			.details = json_get(v, STR("details")),
		    });
}

static void
move(struct builder *b, struct told *told, const struct json *to,
    const struct json *event)
{
	builder_transition(b, told->state, to, event);
	told->state = to;
	told->events = told->event = NULL;
}

/* Whether the event leads where the workflow is already. */
static bool
stays(const struct told *told)
{
	struct str event = json_raw(told->event);

	return event.n != 0 && json_is(told->state, JSON_STRING) &&
	    json_str_is(json_get(told->events, event), json_raw(told->state));
}

/*
 * Older results tell of each transition. Later ones only stamp messages with
 * the state that the workflow is in then, the system's with the one that it
 * begins in: it moved where that changes. An event that it has not changes
 * nothing, though the call of it says no such thing; of several any may count.
 */
static void
read_state(struct builder *b, const struct json *m, struct told *told)
{
	const struct json *now = json_path(m, "meta.current_workflow_state");
	const struct json *then = json_path(m, "meta._workflow_state");
	const struct json *stamp = now != NULL ? now : then;
	const struct json *before = json_get(then, STR("previous_state"));
	const struct json *state = json_get(stamp, STR("current_state"));
	const struct json *events = json_get(stamp, STR("available_events"));
	const struct json *role = log_find(m, "role Role");

	if (before != NULL) {
		told->state = before;
		move(b, told, json_get(then, STR("current_state")),
		    json_get(then, STR("transition")));
	} else if (json_is(told->state, JSON_STRING) && state != NULL &&
	    (stays(told) || !json_equal(told->state, state))) {
		move(b, told, state, told->event);
	}
	if (state == NULL && json_str_is(role, STR("assistant")))
		builder_state_stays(b);
	if (state == NULL)
		return;
	told->state = state;
	told->event = NULL;
	told->moves = 0;
	if (events != NULL)
		told->events = events;
	if (!json_str_is(role, STR("system")))
		builder_state(b, state,
		    json_is(json_get(stamp, STR("terminal")), JSON_TRUE));
}

/* A user's message repeats the calls that follow it. */
static void
read_calls(struct builder *b, const struct json *m, struct told *told)
{
	for (json_each(call, log_find(m, "tool_calls ToolCalls"))) {
		const struct json *tool = log_find(call, "name function.name");

		builder_call(b,
		    &(struct builder_call){
			.id = json_get(call, STR("id")),
			.tool = tool,
			.args = log_find(call, "args function.arguments"),
			.decode = true,
		    });
		if (json_str_is(tool, STR("workflow__transition")))
			told->event = told->moves++ == 0
			    ? json_path(call, "args.event")
			    : NULL;
	}
}

static void
read_message(struct builder *b, const struct json *m, const struct json *ts,
    struct told *told)
{
	struct str role = json_raw(log_find(m, "role Role"));
	const struct json *result = log_find(m, "tool_result ToolResult");
	bool by_user = str_is(role, "user");

	builder_at(b, &(struct builder_at){ .ts = ts });
	if (json_is(result, JSON_OBJECT))
		read_result(b, m, result, told);
	else if (json_get(m, STR("tool_call_id")) != NULL)
		builder_result(b,
		    &(struct builder_result){
			.id = json_get(m, STR("tool_call_id")),
			.tool = json_get(m, STR("name")),
			.value = json_get(m, STR("content")),
		    });
	else if (by_user || str_is(role, "assistant"))
		read_said(b, m, told);
	read_state(b, m, told);
	if (!by_user)
		read_calls(b, m, told);
	if (str_is(role, "assistant"))
		read_usage(b, json_get(m, STR("cost_info")));
	read_guardrails(b, m);
}

/* ---- runs ---- */

static void
read_run(struct builder *b, const struct json *r)
{
	double ns = json_double(json_get(r, STR("Duration")));
	struct told told = { .asked = NAN };

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
	for (json_each(m, json_get(r, STR("Messages")))) {
		read_message(b, m, log_find(m, "timestamp"), &told);
		if (json_str_is(json_get(m, STR("role")), STR("assistant")))
			builder_guardrails(b);
	}
	builder_error(b, json_get(r, STR("Error")));
	builder_done(b);
}

/* ---- recordings ---- */

/* A model's call is counted here, not with its message; a judge's and a
 * simulated user's are none of the agent's. */
static void
read_provider(struct builder *b, const struct json *data)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_CACHE_READ] = "CachedTokens",
		[USAGE_INPUT] = "InputTokens",
		[USAGE_OUTPUT] = "OutputTokens",
		[USAGE_COST] = "Cost",
	};
	struct usage u = { 0 };

	if (log_is(data, "Source", "judge selfplay"))
		return;
	builder_model(b, json_get(data, STR("Model")));
	usage_read_named(&u, data, words);
	builder_counts(b, &u);
}

/* How long a tool ran, and whether it failed: told before the messages of the
 * call and its result are. */
static void
read_ran(struct told *told, const struct json *type, const struct json *data)
{
	struct str id =
	    keep_body(told->log->arena, json_get(data, STR("CallID")));
	struct ran *ran = arena_new(told->log->arena, struct ran);

	ran->ms = json_double(json_get(data, STR("Duration"))) / 1e6;
	if (json_str_is(type, STR("tool.call.failed")) ||
	    log_is(data, "Status", "error"))
		ran->is_error = builder_bool(true);
	else if (log_is(data, "Status", "success"))
		ran->is_error = builder_bool(false);
	if (id.n != 0)
		*hash_put(told->ran, id) = ran;
}

static void
read_event(struct builder *b, const struct json *e, struct told *told)
{
	const struct json *type = json_get(e, STR("type"));
	const struct json *data = json_get(e, STR("data"));
	const struct json *ts = json_get(e, STR("timestamp"));

	if (json_str_is(type, STR("message")))
		read_message(b, json_get(e, STR("message")), ts, told);
	else if (json_str_is(type, STR("message.created")))
		read_message(b, data, ts, told);
	else if (json_str_is(type, STR("workflow.transitioned")))
		builder_transition(b, json_get(data, STR("from_state")),
		    json_get(data, STR("to_state")),
		    json_get(data, STR("event")));
	else if (json_str_is(type, STR("workflow.completed")))
		builder_state(b, json_get(data, STR("final_state")), true);
	else if (json_str_is(type, STR("provider.call.completed")))
		read_provider(b, data);
	else if (log_is_type(e, "tool.call.completed tool.call.failed"))
		read_ran(told, type, data);
	else if (log_is_type(e, "validation.passed validation.failed"))
		builder_guardrail(b,
		    &(struct builder_guardrail){
			.name = json_get(data, STR("ValidatorName")),
			.passed = builder_bool(
			    json_str_is(type, STR("validation.passed"))),
			.details = log_find(data, "Violations"),
		    });
}

/* Where a recording is read. */
static struct told
told_of(struct log *log)
{
	struct told told = { .asked = NAN, .log = log };

	told.ran = arena_new(log->arena, struct hash_table);
	told.ran->arena = log->arena;
	return told;
}

static void
read_recording(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *about = json_get(r, STR("metadata"));
	struct told told = told_of(log);

	builder_run(b);
	builder_set(b, RUN_ID, json_get(about, STR("session_id")));
	builder_set(b, RUN_AGENT, log_find(about, "provider_id provider_name"));
	builder_model(b, json_get(about, STR("model")));
	builder_span(b, json_get(about, STR("start_time")),
	    json_get(about, STR("end_time")));
	for (json_each(e, json_get(r, STR("events"))))
		read_event(b, e, &told);
}

/* An event that is a record by itself. */
static void
read_alone(struct log *log, const struct json *event)
{
	struct told *told = log->state;

	if (told == NULL) {
		log->state = told = arena_new(log->arena, struct told);
		*told = told_of(log);
	}
	log_run(log, log_find(event, "session_id"));
	read_event(log->builder, event, told);
	/* What else was told hangs on values that go with the record. */
	told->state = told->events = told->event = NULL;
	told->moves = 0;
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *event = json_get(r, STR("event"));
	const struct json *about = json_get(r, STR("metadata"));

	if (json_get(r, STR("RunID")) != NULL) {
		read_run(log->builder, r);
	} else if (about != NULL) {
		read_recording(log, r);
		log->id =
		    keep_body(log->arena, json_get(about, STR("session_id")));
	} else if (event != NULL) {
		read_alone(log, event);
	}
}

const struct logfmt logfmt_promptkit = {
	.name = "promptkit",
	.what = "PromptKit Arena: results of a run, and recordings",
	.score = score,
	.read = read_record,
};
