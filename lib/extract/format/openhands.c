/*
 * OpenHands: lists of events, alone or as the history of a line that a
 * benchmark wrote; and the events of its SDK (version 1), which differ and name
 * their kind. A conversation may also be a folder "events" with a file for each
 * event, beside which the SDK keeps its state as base_state.json.
 */
#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"
#include "extract/format/openhands_files.h"
#include "extract/run/builder.h"

/* ---- events of the SDK ---- */

static bool
is_sdk_event(const struct json *e)
{
	return field_is(e, "kind",
	    "MessageEvent ActionEvent ObservationEvent SystemPromptEvent "
	    "AgentErrorEvent UserRejectObservation ConversationErrorEvent "
	    "ConversationStateUpdateEvent ACPToolCallEvent Condensation "
	    "CondensationRequest CondensationSummaryEvent PauseEvent "
	    "InterruptEvent HookExecutionEvent LLMCompletionLogEvent "
	    "StreamingDeltaEvent TokenEvent");
}

static void
read_sdk_action(struct builder *b, const struct json *e)
{
	const struct json *args =
	    field_find(e, "tool_call.arguments tool_call.function.arguments");

	builder_text_blocks(b, json_get(e, "thought"));
	builder_call(b, .id = json_get(e, "tool_call_id"),
	    .tool = json_get(e, "tool_name"),
	    .args = args != NULL ? args : json_get(e, "action"),
	    .decode = true);
	builder_llm_call(b, json_raw(json_get(e, "llm_response_id")));
	if (field_is(e, "tool_name", "finish"))
		builder_text(b, json_path(e, "action.message"));
}

/* Reads what another agent reports of its call by ACP, perhaps several times. */
static void
read_acp_call(struct builder *b, const struct json *e)
{
	const struct json *id = json_get(e, "tool_call_id");

	if (!builder_has_call(b, id))
		builder_call(b, .id = id, .tool = json_get(e, "title"),
		    .args = json_get(e, "raw_input"));
	else if (json_is(json_get(e, "raw_input"), JSON_OBJECT))
		builder_set_args(b, id, json_get(e, "raw_input"));
	if (field_is(e, "status", "completed failed"))
		builder_result(b, .id = id,
		    .value = field_find(e, "raw_output content"),
		    .is_error = builder_bool(
			json_str_is(json_get(e, "status"), "failed") ||
			json_is(json_get(e, "is_error"), JSON_TRUE)));
}

/* Reads an event of the SDK. */
static void
read_sdk_event(struct builder *b, const struct json *e)
{
	const struct json *content = json_path(e, "llm_message.content");
	bool failed =
	    field_is(e, "kind", "AgentErrorEvent UserRejectObservation");

	if (field_is(e, "kind", "ActionEvent"))
		read_sdk_action(b, e);
	else if (field_is(e, "kind", "ACPToolCallEvent"))
		read_acp_call(b, e);
	else if (field_is(e, "kind", "ConversationErrorEvent"))
		builder_error(b, field_find(e, "detail code"));
	else if (field_is(e, "kind", "MessageEvent") &&
	    field_is(e, "source", "agent"))
		builder_text_blocks(b, content);
	else if (field_is(e, "kind", "MessageEvent"))
		builder_prompt(b, content);
	else if (failed || field_is(e, "kind", "ObservationEvent"))
		builder_result(b, .id = json_get(e, "tool_call_id"),
		    .value = field_find(e,
			"observation.content observation error "
			"rejection_reason"),
		    .is_error = failed
			? builder_bool(true)
			: field_find(
			      e, "observation.is_error observation.error"));
}

/* ---- events of OpenHands itself ---- */

/* Members of an event, in the order in which they are written. */
enum {
	ID,
	TIMESTAMP,
	SOURCE,
	CAUSE,
	ACTION,
	OBSERVATION,
	METADATA, /* the call as the model made it */
	METRICS,
	ARGS,
	CONTENT,
	EXTRAS,
	SUCCESS,
	KIND,
	RESPONSE,
	BEFORE,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[ID] = STR_CONST("id"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[SOURCE] = STR_CONST("source"),
	[CAUSE] = STR_CONST("cause"),
	[ACTION] = STR_CONST("action"),
	[OBSERVATION] = STR_CONST("observation"),
	[METADATA] = STR_CONST("tool_call_metadata"),
	[METRICS] = STR_CONST("llm_metrics"),
	[ARGS] = STR_CONST("args"),
	[CONTENT] = STR_CONST("content"),
	[EXTRAS] = STR_CONST("extras"),
	[SUCCESS] = STR_CONST("success"),
	[KIND] = STR_CONST("kind"),
	[RESPONSE] = STR_CONST("llm_response_id"),
	[BEFORE] = STR_CONST("parent_id"),
};

/* An event's members. */
struct event {
	const struct json *v, *m[MEMBERS];
};

/* The calls of a run, by the text of the event's id. */
struct events {
	struct hash_table calls; /* struct str: bodies of the calls' ids */
};

/* Returns whether r is the state of one of the SDK's conversations. */
static bool
is_state(const struct json *r)
{
	return json_get(r, "execution_status") != NULL &&
	    json_path(r, "stats.usage_to_metrics") != NULL;
}

/* Returns whether e is an event. Old events do not say where they come from. */
static bool
is_event(const struct json *e)
{
	return is_sdk_event(e) || json_is(json_get(e, "action"), JSON_STRING) ||
	    json_is(json_get(e, "observation"), JSON_STRING);
}

/* Returns whether list is a list of events, or of pairs of an action and its
 * observation. */
static bool
are_events(const struct json *list)
{
	const struct json *first = json_at(list, 0);

	return is_event(json_is(first, JSON_ARRAY) ? json_at(first, 0) : first);
}

static int
score(const struct json *r)
{
	const struct json *first = json_is(r, JSON_ARRAY) ? json_at(r, 0) : r;

	if (are_events(json_get(r, "history")))
		return LOG_FORMAT_SURE;
	if (is_state(r))
		return LOG_FORMAT_SURE;
	return is_event(first) && json_get(first, "source") != NULL &&
		json_get(first, "timestamp") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- what was used ---- */

static void
read_response(struct builder *b, const struct json *response)
{
	struct usage u = { 0 };

	if (!json_is(response, JSON_OBJECT))
		return;
	builder_model(b, json_get(response, "model"));
	openai_usage_read(&u, json_get(response, "usage"));
	builder_usage(b, json_raw(json_get(response, "id")), &u, false);
}

/* Reads the totals so far. Where the price is unknown, the cost is logged as 0,
 * which is ignored. */
static struct usage
usage_of_metrics(const struct json *m)
{
	const struct json *counts = json_get(m, "accumulated_token_usage");
	const struct json *cost = json_get(m, "accumulated_cost");
	struct usage u = { 0 };

	usage_read(&u, USAGE_CACHE_READ, json_get(counts, "cache_read_tokens"));
	usage_read(
	    &u, USAGE_CACHE_WRITE, json_get(counts, "cache_write_tokens"));
	usage_input_with_cache(&u, json_get(counts, "prompt_tokens"));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, "completion_tokens"));
	usage_read(&u, USAGE_REASONING, json_get(counts, "reasoning_tokens"));
	if (json_double(cost) > 0)
		usage_read(&u, USAGE_COST, cost);
	return u;
}

static void
read_metrics(struct builder *b, const struct json *m)
{
	struct usage u = usage_of_metrics(m);

	builder_total(b, &u);
}

/* Reads the SDK's counts, which are separate for each use of a model. */
static void
read_stats(struct builder *b, const struct json *uses)
{
	struct usage all = { 0 };

	for (json_members(name, uses)) {
		struct usage u = usage_of_metrics(json_value(name));

		usage_add(&all, &u);
	}
	builder_total(b, &all);
}

/* ---- events ---- */

/* Returns the member of an event's args, or of the event itself, which is where
 * older events have it. */
static const struct json *
find(const struct event *e, const char *name)
{
	const struct json *found = field_find(e->m[ARGS], name);

	return found != NULL ? found : field_find(e->v, name);
}

/* Returns the arguments of the model's call, as the model wrote them; else the
 * event's. */
static const struct json *
args_of(const struct event *e, const struct json *id)
{
	const struct json *args = e->m[ARGS];
	const struct json *choice =
	    json_at(json_path(e->m[METADATA], "model_response.choices"), 0);

	for (json_each(call, json_path(choice, "message.tool_calls")))
		if (id != NULL &&
		    str_eq(json_raw(json_get(call, "id")), json_raw(id)))
			return json_path(call, "function.arguments");
	if (json_str_is(e->m[ACTION], "call_tool_mcp"))
		return json_get(args, "arguments");
	return args != NULL ? args : e->v;
}

static const struct json *
tool_of(const struct event *e)
{
	const struct json *name = field_find(e->m[METADATA], "function_name");

	if (name == NULL)
		name = field_find(e->m[ARGS], "name");
	return name != NULL ? name : field_find(e->v, "action");
}

static void
read_call(struct log *log, const struct event *e)
{
	struct builder *b = log->builder;
	struct events *state = log->state;
	const struct json *id = field_find(e->m[METADATA], "tool_call_id");
	const struct json *number = e->m[ID];
	const struct json *args = args_of(e, id);

	if (id == NULL && json_is(number, JSON_NUMBER))
		id = builder_str(b, number->text);
	if (id != NULL && number != NULL) {
		struct str *body = arena_new(&b->run_arena, struct str);

		*body = copy_body(&b->run_arena, id);
		*hash_put(&state->calls, str_dup(&b->run_arena, number->text)) =
		    body;
	}
	builder_call(
	    b, .id = id, .tool = tool_of(e), .args = args, .decode = true);
}

/* Reads a message. Where its source is not logged, a message that waits for an
 * answer is the agent's. */
static void
read_message(struct builder *b, const struct event *e)
{
	const struct json *content = find(e, "content");
	const struct json *source = e->m[SOURCE];

	if (source != NULL ? json_str_is(source, "agent")
			   : json_is(find(e, "wait_for_response"), JSON_TRUE))
		builder_text(b, content);
	else
		builder_prompt(b, content);
}

/* Reads the agent's final words, unless they repeat its last thought. */
static void
read_final(struct builder *b, const struct event *e)
{
	const struct json *final = json_get(e->m[ARGS], "final_thought");

	if (str_eq(json_raw(final), json_raw(find(e, "thought"))))
		return;
	builder_locate(b, .ts = e->m[TIMESTAMP]);
	builder_text(b, final);
}

/* Returns whether a user or the program itself performs the action. */
static bool
is_others(const struct event *e)
{
	return json_str_is(e->m[SOURCE], "user") ||
	    json_str_is(e->m[SOURCE], "environment") ||
	    field_is(e->v, "action",
		"system recall change_agent_state null condensation "
		"condensation_request");
}

static void
read_action(struct log *log, const struct event *e)
{
	struct builder *b = log->builder;
	bool finish = json_str_is(e->m[ACTION], "finish");

	if (json_str_is(e->m[ACTION], "message")) {
		read_message(b, e);
		return;
	}
	if (is_others(e))
		return;
	if (!json_str_is(e->m[ACTION], "think"))
		builder_text(b, find(e, "thought"));
	read_response(b, json_get(e->m[METADATA], "model_response"));
	if (e->m[METADATA] != NULL || !finish)
		read_call(log, e);
	if (finish)
		read_final(b, e);
}

/* Returns whether the observation is of a command that failed, of an edit that
 * failed, whose text says so, or of a result of MCP that is an error. NULL:
 * Python code may have failed. Any other error is an observation of its own. */
static const struct json *
failed(struct log *log, const struct event *e)
{
	const struct json *code = json_path(e->m[EXTRAS], "metadata.exit_code");

	if (code == NULL || code->type == JSON_NULL)
		code = field_find(e->v, "exit_code extras.exit_code");
	if (json_is(code, JSON_NUMBER))
		return builder_bool(json_double(code) != 0);
	if (json_str_is(e->m[OBSERVATION], "mcp"))
		return builder_bool(
		    json_is(json_get(field_decode(log->scratch, e->m[CONTENT]),
				"isError"),
			JSON_TRUE));
	return json_str_is(e->m[OBSERVATION], "run_ipython")
	    ? NULL
	    : builder_bool(str_starts(json_raw(e->m[CONTENT]), "ERROR:\\n"));
}

static void
read_observation(struct log *log, const struct event *e)
{
	struct builder *b = log->builder;
	struct events *state = log->state;
	const struct json *cause = e->m[CAUSE], *what = e->m[OBSERVATION];
	bool error =
	    json_str_is(what, "error") || json_str_is(what, "user_rejected");
	const struct str *body =
	    cause == NULL ? NULL : hash_get(&state->calls, cause->text);
	const struct json *id = body != NULL ? builder_str(b, *body)
	    : cause == NULL ? field_find(e->m[METADATA], "tool_call_id")
			    : NULL;

	/* An action of a user or of the program itself is no call. */
	if (json_str_is(what, "null") ||
	    (id == NULL && (error || cause != NULL || e->m[SOURCE] != NULL)))
		return;
	builder_result(b, .id = id, .tool = id == NULL ? what : NULL,
	    .value = e->m[CONTENT],
	    .is_error = error ? builder_bool(true) : failed(log, e),
	    .ok = e->m[SUCCESS]);
}

/* ---- runs ---- */

static void
read_event(struct log *log, const struct json *v)
{
	struct event e = { .v = v };

	if (json_is(v, JSON_ARRAY)) {
		for (json_each(one, v))
			read_event(log, one);
		return;
	}
	json_pick(v, members, MEMBERS, e.m);
	builder_locate(log->builder, .ts = e.m[TIMESTAMP],
	    .message = e.m[RESPONSE],
	    .node = e.m[KIND] != NULL ? e.m[ID] : NULL, .after = e.m[BEFORE]);
	if (is_sdk_event(v))
		read_sdk_event(log->builder, v);
	else if (e.m[ACTION] != NULL)
		read_action(log, &e);
	else
		read_observation(log, &e);
	if (e.m[METRICS] != NULL)
		read_metrics(log->builder, e.m[METRICS]);
	if (json_str_is(e.m[KIND], "ConversationStateUpdateEvent"))
		read_stats(log->builder,
		    field_find(v,
			"value.usage_to_metrics "
			"value.stats.usage_to_metrics"));
}

static void
read_about(struct builder *b, const struct json *r)
{
	builder_set(b, RUN_SCENARIO, json_get(r, "instance_id"));
	builder_set(b, RUN_AGENT, json_path(r, "metadata.agent_class"));
	builder_meta(b, "test_result", json_get(r, "test_result"));
	builder_error(b, json_get(r, "error"));
}

static void
begin(struct log *log)
{
	struct arena *run = &log->builder->run_arena; /* a file has many runs */
	struct events *state;

	builder_begin_run(log->builder);
	log->state = state = arena_new(run, struct events);
	state->calls.arena = run;
}

/* ---- a file for each event ---- */

/* Implements the member `owner` of struct log_format. */
static const char *
file_owner(struct log *log, const struct json *record)
{
	return is_event(record) || is_state(record)
	    ? openhands_files_owner(log->arena, log->path)
	    : NULL;
}

/* Implements the member `beside` of struct log_format. */
static char **
files_beside(struct log *log)
{
	return openhands_files_beside(log->arena, log->path);
}

static void
read_state(struct builder *b, const struct json *r)
{
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_model(b, json_path(r, "agent.llm.model"));
	read_stats(b, json_path(r, "stats.usage_to_metrics"));
}

/* ---- records ---- */

/* Reads a record. A list is a run of its own; single events form one run
 * together. */
static void
read_record(struct log *log, const struct json *r)
{
	const struct json *history = json_get(r, "history");
	const struct json *list = json_is(r, JSON_ARRAY) ? r : history;

	if (list == NULL && is_event(r)) {
		if (log->state == NULL)
			begin(log);
		read_event(log, r);
		return;
	}
	if (is_state(r)) {
		read_state(log->builder, r);
		return;
	}
	if (!are_events(list))
		return;
	begin(log);
	if (list == history)
		read_about(log->builder, r);
	read_event(log, list);
	if (json_get(r, "metrics") != NULL)
		read_metrics(log->builder, json_get(r, "metrics"));
	builder_end_run(log->builder);
	log->state = NULL;
}

const struct log_format log_format_openhands = {
	.name = "openhands",
	.what = "OpenHands: events, also in folders; output of its benchmarks",
	.score = score,
	.signs = "history execution_status source",
	.read = read_record,
	.beside = files_beside,
	.owner = file_owner,
};
