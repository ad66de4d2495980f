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

/* ---- messages ---- */

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

/* Members of a message. The first ones have two spellings. */
enum { ROLE, CONTENT, PARTS, TOOL_CALLS, TOOL_RESULT, PAIRS };
enum { COST = 2 * PAIRS, META, VALIDATIONS, CALL_ID, INDEX, MEMBERS };

static const struct str members[MEMBERS] = {
	[ROLE] = STR_CONST("role"),
	[CONTENT] = STR_CONST("content"),
	[PARTS] = STR_CONST("parts"),
	[TOOL_CALLS] = STR_CONST("tool_calls"),
	[TOOL_RESULT] = STR_CONST("tool_result"),
	[COST] = STR_CONST("cost_info"),
	[META] = STR_CONST("meta"),
	[VALIDATIONS] = STR_CONST("validations"),
	[CALL_ID] = STR_CONST("tool_call_id"),
	[INDEX] = STR_CONST("Index"),
	[PAIRS + ROLE] = STR_CONST("Role"),
	[PAIRS + CONTENT] = STR_CONST("Content"),
	[PAIRS + PARTS] = STR_CONST("Parts"),
	[PAIRS + TOOL_CALLS] = STR_CONST("ToolCalls"),
	[PAIRS + TOOL_RESULT] = STR_CONST("ToolResult"),
};

struct message {
	const struct json *json;
	const struct json *of[MEMBERS]; /* in either spelling */
};

static struct message
message_of(const struct json *v)
{
	struct message m = { .json = v };

	field_pick(v, members, MEMBERS, PAIRS, m.of);
	return m;
}

/* Returns whether the message repeats the preceding user message, as in Arena's
 * recordings. */
static bool
is_repeated(const struct message *m, bool by_user, struct progress *progress)
{
	double before = progress->asked;

	progress->asked = by_user ? json_double(m->of[INDEX]) : NAN;
	return progress->asked == before;
}

/* Reads the text of a message. If the content consists of parts, the message's
 * text is a summary of them and is ignored. */
static void
read_text(struct builder *b, const struct message *m, struct progress *progress)
{
	const struct json *parts = m->of[PARTS], *content = m->of[CONTENT];
	bool by_user = json_str_is(m->of[ROLE], "user"), texts = false;

	if (is_repeated(m, by_user, progress)) {
		(void)builder_current_turn(b);
		return;
	}
	for (json_each(part, parts)) {
		const struct json *text = json_get(part, "text");

		if (!json_is(text, JSON_STRING) ||
		    json_str_is(json_get(part, "type"), "thinking")) {
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
	else if (parts == NULL && m->of[TOOL_CALLS] == NULL)
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
read_result(
    struct builder *b, const struct message *m, struct progress *progress)
{
	const struct json *result = m->of[TOOL_RESULT];
	const struct json *error = field_find(result, "error Error");
	const struct json *parts = field_find(result, "parts Parts");
	const struct json *value = field_find(result, "content Content");
	const struct tool_run *run = progress->tool_runs == NULL
	    ? NULL
	    : hash_get(
		  progress->tool_runs, json_raw(field_find(result, "id ID")));
	bool failed = json_raw(error).n != 0,
	     known = error != NULL || json_get(m->json, "role") != NULL;

	if (json_first(parts) != NULL)
		value = parts;
	if (value == NULL)
		value = field_find(m->json, "content");
	if (value == NULL)
		value = parts;
	if (failed && (value == NULL || json_str_is(value, "")))
		value = error;
	builder_result(b, .id = field_find(result, "id ID"),
	    .tool = field_find(result, "name Name"), .value = value,
	    .is_error = known ? builder_bool(failed)
		: run != NULL ? run->is_error
			      : NULL,
	    .duration = field_find(result, "latency_ms LatencyMs"));
	if (run != NULL)
		builder_call_duration(b, run->ms);
	if (failed &&
	    json_str_is(json_get(result, "name"), "workflow__transition"))
		progress->event = NULL;
}

static void
read_guardrails(struct builder *b, const struct json *validations)
{
	for (json_each(v, validations))
		builder_guardrail(b, .name = json_get(v, "validator_type"),
		    .passed = json_get(v, "passed"),
		    .details = json_get(v, "details"));
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
read_state(
    struct builder *b, const struct message *m, struct progress *progress)
{
	const struct json *meta = m->of[META], *role = m->of[ROLE];
	const struct json *now = json_get(meta, "current_workflow_state");
	const struct json *then = json_get(meta, "_workflow_state");
	const struct json *stamp = now != NULL ? now : then;
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
	if (state == NULL && json_str_is(role, "assistant"))
		builder_keep_state(b);
	if (state == NULL)
		return;
	progress->state = state;
	progress->event = NULL;
	progress->moves = 0;
	if (events != NULL)
		progress->events = events;
	if (!json_str_is(role, "system"))
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
read_message(struct builder *b, const struct json *message,
    const struct json *ts, struct progress *progress)
{
	const struct message m = message_of(message);
	struct str role = json_raw(m.of[ROLE]);
	bool by_user = str_is(role, "user");

	builder_locate(b, .ts = ts);
	if (json_is(m.of[TOOL_RESULT], JSON_OBJECT))
		read_result(b, &m, progress);
	else if (m.of[CALL_ID] != NULL)
		builder_result(b, .id = m.of[CALL_ID],
		    .tool = json_get(message, "name"),
		    .value = json_get(message, "content"));
	else if (by_user || str_is(role, "assistant"))
		read_text(b, &m, progress);
	else if (str_is(role, "system"))
		builder_system_message(b, json_get(message, "content"));
	else
		log_unread(progress->log, message);
	read_state(b, &m, progress);
	if (!by_user)
		read_calls(b, m.of[TOOL_CALLS], progress);
	if (str_is(role, "assistant"))
		read_usage(b, m.of[COST]);
	read_guardrails(b, m.of[VALIDATIONS]);
}

/* ---- records ---- */

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
read_provider(struct builder *b, const struct json *data)
{
	struct usage u = { 0 };

	if (field_is(data, "Source", "judge selfplay"))
		return;
	builder_model(b, json_get(data, "Model"));
	field_usage(&u, data, .cache_read = "CachedTokens",
	    .input = "InputTokens", .output = "OutputTokens", .cost = "Cost");
	builder_usage_uncounted(b, &u);
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
read_tool_run(struct progress *progress, const struct json *e)
{
	const struct json *data = json_get(e, "data");
	struct arena *a = progress->log->arena;
	struct tool_run *run = tool_run_of(progress, data);

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
read_message_event(struct builder *b, const struct json *message,
    const struct json *ts, struct progress *progress)
{
	const struct message m = message_of(message);

	if (json_str_is(m.of[ROLE], "assistant") &&
	    json_count(m.of[TOOL_CALLS]) == 0)
		emit_tool_runs(b, progress);
	read_message(b, message, ts, progress);
}

/* Types of events that carry nothing. */
#define SILENT \
	"pipeline.*|middleware.*|stage.*|provider.call.*|validation.started|" \
	"context.*|state.*|stream.*|reasoning.*|message.updated|" \
	"conversation.started|audio.input|audio.output|video.*|image.*|" \
	"screenshot|eval.*|workflow.max_*|workflow.budget_*|" \
	"prompt.template.*|media.*"

static void
read_event(struct builder *b, const struct json *e, struct progress *progress)
{
	const struct json *type = json_get(e, "type");
	const struct json *data = json_get(e, "data");
	const struct json *ts = json_get(e, "timestamp");

	if (json_str_is(type, "message"))
		read_message_event(b, json_get(e, "message"), ts, progress);
	else if (json_str_is(type, "message.created"))
		read_message_event(b, data, ts, progress);
	else if (json_str_is(type, "workflow.transitioned"))
		builder_transition(b, json_get(data, "from_state"),
		    json_get(data, "to_state"), json_get(data, "event"));
	else if (json_str_is(type, "workflow.completed"))
		builder_state(b, json_get(data, "final_state"), true);
	else if (json_str_is(type, "provider.call.completed"))
		read_provider(b, data);
	else if (field_is_type(e,
		     "tool.call.started tool.call.completed tool.call.failed"))
		read_tool_run(progress, e);
	else if (field_is_type(e, "validation.passed validation.failed"))
		builder_guardrail(b, .name = json_get(data, "ValidatorName"),
		    .passed =
			builder_bool(json_str_is(type, "validation.passed")),
		    .details = field_find(data, "Violations"));
	else if (!log_rows_holds("type=" SILENT, e))
		log_unread(progress->log, e);
}

/* Returns the initial state for a recording. */
static struct progress
progress_new(struct log *log)
{
	struct progress progress = { .asked = NAN, .log = log };

	progress.tool_runs = arena_new(log->arena, struct hash_table);
	progress.tool_runs->arena = log->arena;
	return progress;
}

static void
read_recording(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *about = json_get(r, "metadata");
	struct progress progress = progress_new(log);

	builder_begin_run(b);
	log->id = (struct str){ 0 };
	log_run(log, json_get(about, "session_id"));
	builder_set(
	    b, RUN_AGENT, field_find(about, "provider_id provider_name"));
	builder_model(b, json_get(about, "model"));
	builder_set_times(
	    b, json_get(about, "start_time"), json_get(about, "end_time"));
	for (json_each(e, json_get(r, "events")))
		read_event(b, e, &progress);
	emit_tool_runs(b, &progress);
}

/* Reads an event that is a record by itself. */
static void
read_alone(struct log *log, const struct json *event)
{
	struct progress *progress;

	log_run(log, field_find(event, "session_id"));
	progress = log->state;
	if (progress == NULL) {
		log->state = progress = arena_new(log->arena, struct progress);
		*progress = progress_new(log);
	}
	read_event(log->builder, event, progress);
	/* The other members point into the record, which is freed. */
	progress->state = progress->events = progress->event = NULL;
	progress->moves = 0;
}

/* Implements the member `end_run` of struct log_format. */
static void
end(struct log *log)
{
	if (log->state != NULL)
		emit_tool_runs(log->builder, log->state);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *event = json_get(r, "event");
	const struct json *about = json_get(r, "metadata");

	if (event == NULL) {
		end(log);
		log->state = NULL;
	}
	if (json_get(r, "RunID") != NULL) {
		read_run(log, r);
	} else if (about != NULL) {
		read_recording(log, r);
	} else if (event != NULL) {
		read_alone(log, event);
	}
}

static const struct log_row rows[] = {
	LOG_ROW("RunID, metadata, event", LOG_HOOK, .read = read_record),
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
	.end_run = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
