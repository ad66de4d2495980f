#include "extract/format/promptkit_message.h"

#include <math.h>

/* Members of a message. The first have two spellings. */
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
	const struct json *of[MEMBERS]; /* by either spelling */
};

static struct message
message_of(const struct json *v)
{
	struct message m = { .json = v };

	field_pick(v, members, MEMBERS, PAIRS, m.of);
	return m;
}

/* Whether a user's message is the one before it once more, as in Arena's
 * recordings. */
static bool
is_repeated(
    const struct message *m, bool by_user, struct promptkit_reason *told)
{
	double before = told->asked;

	told->asked = by_user ? json_double(m->of[INDEX]) : NAN;
	return told->asked == before;
}

/* A content of parts is repeated as a summary beside them. */
static void
read_said(
    struct builder *b, const struct message *m, struct promptkit_reason *told)
{
	const struct json *parts = m->of[PARTS], *said = m->of[CONTENT];
	bool by_user = json_str_is(m->of[ROLE], "user"), texts = false;

	if (is_repeated(m, by_user, told)) {
		(void)builder_turn_now(b);
		return;
	}
	for (json_each(part, parts)) {
		const struct json *text = json_get(part, "text");

		if (!json_is(text, JSON_STRING) ||
		    json_str_is(json_get(part, "type"), "thinking"))
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
	else if (parts == NULL && m->of[TOOL_CALLS] == NULL)
		builder_empty_text(b);
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
read_result(
    struct builder *b, const struct message *m, struct promptkit_reason *told)
{
	const struct json *result = m->of[TOOL_RESULT];
	const struct json *error = field_find(result, "error Error");
	const struct json *parts = field_find(result, "parts Parts");
	const struct json *value = field_find(result, "content Content");
	const struct promptkit_ran *ran = told->ran == NULL
	    ? NULL
	    : hash_get(told->ran, json_raw(field_find(result, "id ID")));
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
		: ran != NULL ? ran->is_error
			      : NULL,
	    .duration = field_find(result, "latency_ms LatencyMs"));
	if (ran != NULL)
		builder_call_duration(b, ran->ms);
	if (failed &&
	    json_str_is(json_get(result, "name"), "workflow__transition"))
		told->event = NULL;
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
move(struct builder *b, struct promptkit_reason *told, const struct json *to,
    const struct json *event)
{
	builder_transition(b, told->state, to, event);
	told->state = to;
	told->events = told->event = NULL;
}

/* Whether the event leads where the workflow is already. */
static bool
stays(const struct promptkit_reason *told)
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
read_state(
    struct builder *b, const struct message *m, struct promptkit_reason *told)
{
	const struct json *meta = m->of[META], *role = m->of[ROLE];
	const struct json *now = json_get(meta, "current_workflow_state");
	const struct json *then = json_get(meta, "_workflow_state");
	const struct json *stamp = now != NULL ? now : then;
	const struct json *before = json_get(then, "previous_state");
	const struct json *state = json_get(stamp, "current_state");
	const struct json *events = json_get(stamp, "available_events");

	if (before != NULL) {
		told->state = before;
		move(b, told, json_get(then, "current_state"),
		    json_get(then, "transition"));
	} else if (json_is(told->state, JSON_STRING) && state != NULL &&
	    (stays(told) || !json_equal(told->state, state))) {
		move(b, told, state, told->event);
	}
	if (state == NULL && json_str_is(role, "assistant"))
		builder_state_stays(b);
	if (state == NULL)
		return;
	told->state = state;
	told->event = NULL;
	told->moves = 0;
	if (events != NULL)
		told->events = events;
	if (!json_str_is(role, "system"))
		builder_state(
		    b, state, json_is(json_get(stamp, "terminal"), JSON_TRUE));
}

/* A user's message repeats the calls that follow it. */
static void
read_calls(
    struct builder *b, const struct json *calls, struct promptkit_reason *told)
{
	for (json_each(call, calls)) {
		const struct json *tool =
		    field_find(call, "name function.name");

		builder_call(b, .id = json_get(call, "id"), .tool = tool,
		    .args = field_find(call, "args function.arguments"),
		    .decode = true);
		if (json_str_is(tool, "workflow__transition"))
			told->event = told->moves++ == 0
			    ? json_path(call, "args.event")
			    : NULL;
	}
}

void
promptkit_message_read(struct builder *b, const struct json *message,
    const struct json *ts, struct promptkit_reason *told)
{
	const struct message m = message_of(message);
	struct str role = json_raw(m.of[ROLE]);
	bool by_user = str_is(role, "user");

	builder_locate(b, .ts = ts);
	if (json_is(m.of[TOOL_RESULT], JSON_OBJECT))
		read_result(b, &m, told);
	else if (m.of[CALL_ID] != NULL)
		builder_result(b, .id = m.of[CALL_ID],
		    .tool = json_get(message, "name"),
		    .value = json_get(message, "content"));
	else if (by_user || str_is(role, "assistant"))
		read_said(b, &m, told);
	read_state(b, &m, told);
	if (!by_user)
		read_calls(b, m.of[TOOL_CALLS], told);
	if (str_is(role, "assistant"))
		read_usage(b, m.of[COST]);
	read_guardrails(b, m.of[VALIDATIONS]);
}
