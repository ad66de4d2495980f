/*
 * PromptKit Arena: a run's results, and recordings of sessions, whose events
 * are messages.
 */
#include <math.h>

#include "extract/format/promptkit_message.h"

static int
score(const struct json *r)
{
	const struct json *event = json_at(json_get(r, "events"), 0);

	if (json_get(r, "RunID") != NULL && json_get(r, "Messages") != NULL)
		return LOG_FORMAT_SURE;
	if (json_path(r, "metadata.session_id") != NULL &&
	    field_find(event, "message data") != NULL)
		return LOG_FORMAT_SURE;
	return json_get(r, "seq") != NULL &&
		json_path(r, "event.session_id") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- runs ---- */

static void
read_run(struct builder *b, const struct json *r)
{
	double ns = json_double(json_get(r, "Duration"));
	struct promptkit_reason told = { .asked = NAN };

	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "RunID"));
	builder_set(b, RUN_SCENARIO, json_get(r, "ScenarioID"));
	builder_set(b, RUN_AGENT, json_get(r, "ProviderID"));
	builder_span(b, json_get(r, "StartTime"), json_get(r, "EndTime"));
	builder_duration(b, ns / 1e6);
	builder_meta(b, "region", json_get(r, "Region"));
	builder_meta(b, "persona", json_get(r, "PersonaID"));
	builder_meta(b, "assertions", json_get(r, "conversation_assertions"));
	for (json_each(m, json_get(r, "Messages"))) {
		promptkit_message_read(b, m, field_find(m, "timestamp"), &told);
		if (json_str_is(json_get(m, "role"), "assistant"))
			builder_guardrails(b);
	}
	builder_error(b, json_get(r, "Error"));
	builder_end_run(b);
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

	if (field_is(data, "Source", "judge selfplay"))
		return;
	builder_model(b, json_get(data, "Model"));
	usage_read_named(&u, data, words);
	builder_usage_uncounted(b, &u);
}

/* How long a tool ran, and whether it failed: told before the messages of the
 * call and its result are. */
static void
read_ran(struct promptkit_reason *told, const struct json *type,
    const struct json *data)
{
	struct str id = copy_body(told->log->arena, json_get(data, "CallID"));
	struct promptkit_ran *ran =
	    arena_new(told->log->arena, struct promptkit_ran);

	ran->ms = json_double(json_get(data, "Duration")) / 1e6;
	if (json_str_is(type, "tool.call.failed") ||
	    field_is(data, "Status", "error"))
		ran->is_error = builder_bool(true);
	else if (field_is(data, "Status", "success"))
		ran->is_error = builder_bool(false);
	if (id.n != 0)
		*hash_put(told->ran, id) = ran;
}

static void
read_event(
    struct builder *b, const struct json *e, struct promptkit_reason *told)
{
	const struct json *type = json_get(e, "type");
	const struct json *data = json_get(e, "data");
	const struct json *ts = json_get(e, "timestamp");

	if (json_str_is(type, "message"))
		promptkit_message_read(b, json_get(e, "message"), ts, told);
	else if (json_str_is(type, "message.created"))
		promptkit_message_read(b, data, ts, told);
	else if (json_str_is(type, "workflow.transitioned"))
		builder_transition(b, json_get(data, "from_state"),
		    json_get(data, "to_state"), json_get(data, "event"));
	else if (json_str_is(type, "workflow.completed"))
		builder_state(b, json_get(data, "final_state"), true);
	else if (json_str_is(type, "provider.call.completed"))
		read_provider(b, data);
	else if (field_is_type(e, "tool.call.completed tool.call.failed"))
		read_ran(told, type, data);
	else if (field_is_type(e, "validation.passed validation.failed"))
		builder_guardrail(b, .name = json_get(data, "ValidatorName"),
		    .passed =
			builder_bool(json_str_is(type, "validation.passed")),
		    .details = field_find(data, "Violations"));
}

/* Where a recording is read. */
static struct promptkit_reason
told_of(struct log *log)
{
	struct promptkit_reason told = { .asked = NAN, .log = log };

	told.ran = arena_new(log->arena, struct hash_table);
	told.ran->arena = log->arena;
	return told;
}

static void
read_recording(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *about = json_get(r, "metadata");
	struct promptkit_reason told = told_of(log);

	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(about, "session_id"));
	builder_set(
	    b, RUN_AGENT, field_find(about, "provider_id provider_name"));
	builder_model(b, json_get(about, "model"));
	builder_span(
	    b, json_get(about, "start_time"), json_get(about, "end_time"));
	for (json_each(e, json_get(r, "events")))
		read_event(b, e, &told);
}

/* An event that is a record by itself. */
static void
read_alone(struct log *log, const struct json *event)
{
	struct promptkit_reason *told = log->state;

	if (told == NULL) {
		log->state = told =
		    arena_new(log->arena, struct promptkit_reason);
		*told = told_of(log);
	}
	log_run(log, field_find(event, "session_id"));
	read_event(log->builder, event, told);
	/* What else was told hangs on values that go with the record. */
	told->state = told->events = told->event = NULL;
	told->moves = 0;
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *event = json_get(r, "event");
	const struct json *about = json_get(r, "metadata");

	if (json_get(r, "RunID") != NULL) {
		read_run(log->builder, r);
	} else if (about != NULL) {
		read_recording(log, r);
		log->id = copy_body(log->arena, json_get(about, "session_id"));
	} else if (event != NULL) {
		read_alone(log, event);
	}
}

const struct log_format log_format_promptkit = {
	.name = "promptkit",
	.what = "PromptKit Arena: results of a run, and recordings",
	.score = score,
	.read = read_record,
};
