/*
 * PromptKit Arena: the results of a run (one object with RunID and Messages),
 * recordings of sessions (one object with events), and single events, one a
 * line. The messages in results spell their members in lower case, those in
 * recordings as Go does.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

#include <math.h>

/* ---- messages, whose members have two spellings ---- */

/* The state of a run that later messages depend on. */
struct progress {
	const struct json *state; /* of the workflow; NULL: unknown yet */
	/* Available in that state, with their targets. */
	const struct json *events;
	size_t moves; /* number of transition calls since that state */
	/* The event of that call, if there was only one. */
	const struct json *event;
	double asked; /* index of the preceding user message; NAN: none */
	struct log *log;
	struct hash_table *tool_runs; /* struct tool_run, by the ids of calls */
	struct tool_run *first, **end; /* in order, until they are reported */
};

/* A call and its outcome, as events report them. */
struct tool_run {
	struct tool_run *next;
	const struct json *id, *tool, *args, *value, *ts; /* in log->arena */
	double ms;
	const struct json *is_error;
	bool ended;
};

#define CALLS "tool_calls ToolCalls"

static bool
is_of(const struct json *m, const char *role)
{
	return json_str_is(field_find(m, "role Role"), str_of(role));
}

/* Returns whether the message repeats the preceding user message, as in Arena's
 * recordings. */
static bool
is_repeated(const struct json *m, bool by_user, struct progress *progress)
{
	double before = progress->asked;

	progress->asked = by_user ? json_double(json_get(m, "Index")) : NAN;
	return progress->asked == before;
}

/* Reads the text of a message. If the content consists of parts, the message's
 * text is a summary of them and is ignored. */
static void
read_text(struct builder *b, const struct json *m, struct progress *progress)
{
	const struct json *parts = field_find(m, "parts Parts");
	const struct json *content = field_find(m, "content Content");
	bool by_user = is_of(m, "user"), texts = false;

	if (is_repeated(m, by_user, progress)) {
		(void)builder_current_turn(b);
		return;
	}
	for (json_each(part, parts)) {
		const struct json *text = json_get(part, "text");

		if (!json_is(text, JSON_STRING) ||
		    field_is_type(part, "thinking")) {
			builder_unread_block(
			    b, json_raw(json_get(part, "type")));
			continue;
		}
		texts = true;
		if (by_user)
			builder_prompt(b, text);
		else
			builder_text(b, text);
	}
	if (texts)
		return;
	if (by_user)
		builder_prompt(b, content);
	else if (json_raw(content).n != 0)
		builder_text(b, content);
	else if (parts == NULL && field_find(m, CALLS) == NULL)
		builder_empty_text(b);
}

/* Reads the counts of an assistant's message. The tokens of a simulated user
 * are not counted, since they are not the agent's. */
static void
read_usage(struct builder *b, const struct json *cost)
{
	struct usage u = { 0 };

	field_usage(&u, cost, .cache_read = "cached_tokens",
	    .input = "input_tokens", .output = "output_tokens",
	    .cost = "total_cost_usd");
	builder_usage(b, (struct str){ 0 }, &u, false);
}

/* Reads a result. Arena's recordings omit the error even where there was one,
 * so that then success is unknown. */
static void
read_result(struct builder *b, const struct json *m, const struct json *result,
    struct progress *progress)
{
	const struct json *error = field_find(result, "error Error");
	const struct json *parts = field_find(result, "parts Parts");
	const struct json *value = json_first(parts) != NULL
	    ? parts
	    : field_find(result, "content Content");
	const struct json *id = field_find(result, "id ID");
	const struct tool_run *run = progress->tool_runs == NULL
	    ? NULL
	    : hash_get(progress->tool_runs, json_raw(id));
	bool failed = json_raw(error).n != 0,
	     known = error != NULL || json_get(m, "role") != NULL;

	if (value == NULL)
		value = field_find(m, "content");
	if (value == NULL)
		value = parts;
	if (failed && (value == NULL || json_str_is(value, "")))
		value = error;
	builder_result(b, .id = id, .tool = field_find(result, "name Name"),
	    .value = value,
	    .is_error = known ? builder_bool(failed)
		: run != NULL ? run->is_error
			      : NULL,
	    .duration = field_find(result, "latency_ms LatencyMs"));
	if (run != NULL)
		builder_call_duration(b, run->ms);
	if (failed && field_is(result, "name", "workflow__transition"))
		progress->event = NULL;
}

static void
move_state(struct builder *b, struct progress *progress, const struct json *to,
    const struct json *event)
{
	builder_transition(b, progress->state, to, event);
	if (!json_equal(progress->state, to))
		progress->events =
		    NULL; /* those of the new state are unknown */
	progress->state = to;
	progress->event = NULL;
}

/* Returns whether the event leads to the state that the workflow is already
 * in. */
static bool
stays_in_state(const struct progress *progress)
{
	struct str event = json_raw(progress->event);

	return event.n != 0 && json_is(progress->state, JSON_STRING) &&
	    json_str_is(
		json_get(progress->events, event), json_raw(progress->state));
}

/* Reads the workflow's state. Older results log each transition. Later ones
 * only stamp messages with the state that the workflow is in then, and the
 * system message with the initial state: a transition is where the state
 * changes. A transition call with an event that the state does not have changes
 * nothing, though its result does not say so; of several calls any may be the
 * effective one. */
static void
read_state(struct builder *b, const struct json *m, struct progress *progress)
{
	const struct json *then = json_path(m, "meta._workflow_state");
	const struct json *stamp =
	    field_find(m, "meta.current_workflow_state meta._workflow_state");
	const struct json *before = json_get(then, "previous_state");
	const struct json *state = json_get(stamp, "current_state");
	const struct json *events = json_get(stamp, "available_events");

	if (before != NULL) {
		progress->state = before;
		move_state(b, progress, json_get(then, "current_state"),
		    json_get(then, "transition"));
	} else if (json_is(progress->state, JSON_STRING) && state != NULL &&
	    (stays_in_state(progress) || !json_equal(progress->state, state))) {
		move_state(b, progress, state, progress->event);
	}
	if (state == NULL && is_of(m, "assistant"))
		builder_keep_state(b);
	if (state == NULL)
		return;
	progress->state = state;
	progress->event = NULL;
	progress->moves = 0;
	if (events != NULL)
		progress->events = events;
	if (!is_of(m, "system"))
		builder_state(
		    b, state, json_is(json_get(stamp, "terminal"), JSON_TRUE));
}

/* Reads calls. A user's message repeats the calls that follow it, so its calls
 * are not read. */
static void
read_calls(
    struct builder *b, const struct json *calls, struct progress *progress)
{
	for (json_each(call, calls)) {
		const struct json *tool =
		    field_find(call, "name function.name");

		builder_call(b, .id = json_get(call, "id"), .tool = tool,
		    .args = field_find(call, "args function.arguments"),
		    .decode = true);
		if (json_str_is(tool, "workflow__transition"))
			progress->event = progress->moves++ == 0
			    ? json_path(call, "args.event")
			    : NULL;
	}
}

/* Reads a message that was logged at the time ts. */
static void
read_message(struct builder *b, const struct json *m, const struct json *ts,
    struct progress *progress)
{
	const struct json *result = field_find(m, "tool_result ToolResult");
	const struct json *call = field_find(m, "tool_call_id");
	bool by_user = is_of(m, "user"), by_model = is_of(m, "assistant");

	builder_locate(b, .ts = ts);
	if (by_model)
		builder_message(b);
	if (json_is(result, JSON_OBJECT))
		read_result(b, m, result, progress);
	else if (call != NULL)
		builder_result(b, .id = call, .tool = json_get(m, "name"),
		    .value = json_get(m, "content"));
	else if (by_user || by_model)
		read_text(b, m, progress);
	else if (is_of(m, "system"))
		builder_system_message(b, json_get(m, "content"));
	else
		log_unread(progress->log, m);
	read_state(b, m, progress);
	if (!by_user)
		read_calls(b, field_find(m, CALLS), progress);
	if (by_model)
		read_usage(b, field_find(m, "cost_info"));
	for (json_each(v, json_get(m, "validations")))
		builder_guardrail(b, .name = json_get(v, "validator_type"),
		    .passed = json_get(v, "passed"),
		    .details = json_get(v, "details"));
}

/* ---- runs ---- */

static void
read_run(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	double ns = json_double(json_get(r, "Duration"));
	struct progress progress = { .asked = NAN, .log = log };

	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "RunID"));
	builder_set(b, RUN_SCENARIO, json_get(r, "ScenarioID"));
	builder_set(b, RUN_AGENT, json_get(r, "ProviderID"));
	builder_set_times(b, json_get(r, "StartTime"), json_get(r, "EndTime"));
	builder_duration(b, ns / 1e6);
	builder_meta(b, "region", json_get(r, "Region"));
	builder_meta(b, "persona", json_get(r, "PersonaID"));
	builder_meta(b, "assertions", json_get(r, "conversation_assertions"));
	for (json_each(m, json_get(r, "Messages"))) {
		read_message(b, m, field_find(m, "timestamp"), &progress);
		if (json_str_is(json_get(m, "role"), "assistant"))
			builder_guardrails_logged(b);
	}
	builder_error(b, json_get(r, "Error"));
	builder_end_run(b);
}

/* ---- recordings ---- */

/* Reads the counts of a model's call, which a recording has here and not with
 * the message; those of a judge or of a simulated user are not the agent's. */
static void
read_provider(struct log *log, const struct json *data)
{
	struct usage u = { 0 };

	if (field_is(data, "Source", "judge selfplay"))
		return;
	builder_model(log->builder, json_get(data, "Model"));
	field_usage(&u, data, .cache_read = "CachedTokens",
	    .input = "InputTokens", .output = "OutputTokens", .cost = "Cost");
	builder_usage_uncounted(log->builder, &u);
}

/* Returns the tool's run of the call that the event is about. */
static struct tool_run *
tool_run_of(struct progress *progress, const struct json *data)
{
	struct arena *a = progress->log->arena;
	struct str id = copy_body(a, json_get(data, "CallID"));
	struct tool_run *run;
	void **slot = id.n == 0 ? NULL : hash_put(progress->tool_runs, id);

	if (slot != NULL && *slot != NULL)
		return *slot;
	run = arena_new(a, struct tool_run);
	run->ms = NAN;
	if (slot != NULL)
		*slot = run;
	if (progress->first == NULL)
		progress->end = &progress->first;
	*progress->end = run;
	progress->end = &run->next;
	return run;
}

/* Keeps a value of the event, unless it is null or, as Go writes an error, an empty
 * object. */
static void
keep(struct arena *a, const struct json **to, const struct json *v)
{
	if (v != NULL && v->type != JSON_NULL &&
	    !(v->type == JSON_OBJECT && v->span == 1))
		*to = copy_tree(a, v);
}

/* Notes a call, how long its tool ran, and whether it failed. These events precede
 * the messages of the call and of its result, if there are such messages. */
static void
read_tool_run(struct log *log, const struct json *e)
{
	const struct json *data = json_get(e, "data");
	struct arena *a = log->arena;
	struct tool_run *run = tool_run_of(log->state, data);

	keep(a, &run->id, json_get(data, "CallID"));
	keep(a, &run->tool, json_get(data, "ToolName"));
	keep(a, &run->args, json_get(data, "Args"));
	keep(a, &run->value, json_get(data, "Error"));
	keep(a, &run->value, json_get(data, "Parts"));
	if (field_is_type(e, "tool.call.started")) {
		keep(a, &run->ts, json_get(e, "timestamp"));
		return;
	}
	run->ended = true;
	run->ms = json_double(json_get(data, "Duration")) / 1e6;
	if (field_is_type(e, "tool.call.failed") ||
	    field_is(data, "Status", "error"))
		run->is_error = builder_bool(true);
	else if (field_is(data, "Status", "success"))
		run->is_error = builder_bool(false);
}

/* Reports the calls that no message had. A later message may have them. */
static void
emit_tool_runs(struct builder *b, struct progress *progress)
{
	for (const struct tool_run *run = progress->first; run != NULL;
	     run = run->next) {
		if (run->id != NULL && builder_has_call(b, run->id))
			continue;
		builder_locate(b, .ts = run->ts);
		builder_call(b, .id = run->id, .tool = run->tool,
		    .args = run->args, .early = true);
		if (!run->ended)
			continue;
		builder_result(b, .id = run->id, .tool = run->tool,
		    .value = run->value, .is_error = run->is_error);
		builder_call_duration(b, run->ms);
	}
	progress->first = NULL;
}

/* Reads an event with a message. An answer follows the calls before it. */
static void
read_message_event(struct log *log, const struct json *e)
{
	const struct json *m =
	    json_get(e, field_is_type(e, "message") ? "message" : "data");
	struct progress *progress = log->state;

	if (is_of(m, "assistant") && json_count(field_find(m, CALLS)) == 0)
		emit_tool_runs(log->builder, progress);
	read_message(log->builder, m, json_get(e, "timestamp"), progress);
}

static void
read_transition(struct log *log, const struct json *data)
{
	builder_transition(log->builder, json_get(data, "from_state"),
	    json_get(data, "to_state"), json_get(data, "event"));
}

static void
read_final_state(struct log *log, const struct json *state)
{
	builder_state(log->builder, state, true);
}

static void
read_validation(struct log *log, const struct json *e)
{
	const struct json *data = json_get(e, "data");

	builder_guardrail(log->builder, .name = json_get(data, "ValidatorName"),
	    .passed = builder_bool(field_is_type(e, "validation.passed")),
	    .details = field_find(data, "Violations"));
}

static const struct log_row events[] = {
	LOG_ROW("type=message|message.created", LOG_HOOK,
	    .read = read_message_event),
	LOG_ROW("type=workflow.transitioned", LOG_HOOK, .of = "data",
	    .read = read_transition),
	LOG_ROW("type=workflow.completed", LOG_HOOK, .of = "data.final_state",
	    .read = read_final_state),
	LOG_ROW("type=provider.call.completed", LOG_HOOK, .of = "data",
	    .read = read_provider),
	LOG_ROW("type=tool.call.started|tool.call.completed|tool.call.failed",
	    LOG_HOOK, .read = read_tool_run),
	LOG_ROW("type=validation.passed|validation.failed", LOG_HOOK,
	    .read = read_validation),
	LOG_ROW("type=pipeline.*|middleware.*|stage.*|provider.call.*|"
		"validation.started|context.*|state.*|stream.*|reasoning.*|"
		"message.updated|conversation.started|audio.input|"
		"audio.output|video.*|image.*|screenshot|eval.*|"
		"workflow.max_*|workflow.budget_*|prompt.template.*|media.* "
		"else",
	    LOG_NOTHING),
	LOG_LAST,
};

/* Returns the state of a recording, or of events that are records by themselves. */
static struct progress *
progress_of(struct log *log)
{
	struct progress *p = log->state;

	if (p == NULL) {
		log->state = p = arena_new(log->arena, struct progress);
		*p = (struct progress){ .asked = NAN, .log = log };
		p->tool_runs = arena_new(log->arena, struct hash_table);
		p->tool_runs->arena = log->arena;
	}
	return p;
}

static void
end_run(struct log *log)
{
	if (log->state != NULL)
		emit_tool_runs(log->builder, log->state);
}

static void
begin_recording(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *about = json_get(r, "metadata");

	builder_begin_run(b);
	log->id = (struct str){ 0 };
	log_run(log, json_get(about, "session_id"));
	builder_set(
	    b, RUN_AGENT, field_find(about, "provider_id provider_name"));
	builder_model(b, json_get(about, "model"));
	builder_set_times(
	    b, json_get(about, "start_time"), json_get(about, "end_time"));
	progress_of(log);
}

static void
end_recording(struct log *log, const struct json *r)
{
	(void)r;
	end_run(log);
	log->state = NULL;
}

/* Begins an event that is a record by itself. */
static void
begin_alone(struct log *log, const struct json *event)
{
	struct progress *progress;

	log_run(log, field_find(event, "session_id"));
	progress = progress_of(log);
	/* The other members point into the record before, which is freed. */
	progress->state = progress->events = progress->event = NULL;
	progress->moves = 0;
}

#define RECORDING "metadata !RunID"
#define ALONE "event !metadata !RunID"

static const struct log_row rows[] = {
	LOG_ROW("!event=? RunID, !event=? metadata", LOG_LOCATE,
	    .read = end_recording),
	LOG_ROW("RunID", LOG_HOOK, .read = read_run),
	LOG_ROW(RECORDING, LOG_HOOK, .read = begin_recording),
	LOG_ROW(RECORDING, LOG_EACH, .of = "events", .rows = events),
	LOG_ROW(RECORDING, LOG_HOOK, .read = end_recording),
	LOG_ROW(ALONE, LOG_HOOK, .of = "event", .read = begin_alone),
	LOG_ROW(ALONE, LOG_IN, .of = "event", .rows = events),
	LOG_LAST,
};

const struct log_format log_format_promptkit = {
	.name = "promptkit",
	.what = "PromptKit Arena: run results, session recordings",
	.sure = "RunID Messages, "
		"metadata.session_id events.0.message|events.0.data, "
		"event.session_id seq",
	.rows = rows,
	.knows_blocks = true, /* events report calls with later messages */
	.end_run = end_run,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
