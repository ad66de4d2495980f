/*
 * OpenHands: lists of events, alone or as the history of a line that a
 * benchmark wrote; and the events of its SDK (version 1), which differ and name
 * their kind. A conversation may also be a folder "events" with a file for each
 * event, beside which the SDK keeps its state as base_state.json.
 */
#include "base/hash.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/openhands_files.h"
#include "extract/run/builder.h"

/* ---- events of the SDK ---- */

/* Reads what another agent reports of its call by ACP, perhaps several times. */
static void
read_acp_call(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
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

/* The state of one of the SDK's conversations. */
#define STATE "execution_status stats.usage_to_metrics"

/* Kinds of the SDK's events that carry nothing. */
#define SILENT \
	"Condensation|CondensationRequest|" \
	"CondensationSummaryEvent|PauseEvent|InterruptEvent|" \
	"HookExecutionEvent|LLMCompletionLogEvent|StreamingDeltaEvent|" \
	"TokenEvent"
#define SDK_EVENT \
	"kind=MessageEvent|ActionEvent|ObservationEvent|AgentErrorEvent|" \
	"UserRejectObservation|ConversationErrorEvent|ACPToolCallEvent|" \
	"ConversationStateUpdateEvent|SystemPromptEvent|" SILENT

/* Returns whether e is an event. Old events do not say where they come from. */
static bool
is_event(const struct json *e)
{
	return log_rows_holds(SDK_EVENT
	    ", action=\" args, action=\" thought, action=\" source, "
	    "action=\" wait_for_response, observation=\" content",
	    e);
}

static int
score(const struct json *r)
{
	const struct json *first = json_is(r, JSON_ARRAY) ? json_at(r, 0) : r;
	const struct json *past = json_at(json_get(r, "history"), 0);

	/* The history may consist of pairs of an action and its observation. */
	return log_rows_holds(STATE, r) ||
		is_event(json_is(past, JSON_ARRAY) ? json_at(past, 0) : past) ||
		(is_event(first) && log_rows_holds("source timestamp", first))
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- what was used ---- */

/* Reads the totals so far. Where the price is unknown, the cost is logged as 0,
 * which is ignored. */
static struct usage
usage_of_metrics(const struct json *m)
{
	const struct json *counts = json_get(m, "accumulated_token_usage");
	const struct json *cost = json_get(m, "accumulated_cost");
	struct usage u = { 0 };

	field_usage(&u, counts, .input_and_cache = "prompt_tokens",
	    .output = "completion_tokens", .cache_read = "cache_read_tokens",
	    .cache_write = "cache_write_tokens",
	    .reasoning = "reasoning_tokens");
	if (json_double(cost) > 0)
		usage_read(&u, USAGE_COST, cost);
	return u;
}

static void
read_metrics(struct log *log, const struct json *m)
{
	struct usage u = usage_of_metrics(m);

	builder_total(log->builder, &u);
}

/* Reads the SDK's counts, which are separate for each use of a model. */
static void
read_stats(struct log *log, const struct json *uses)
{
	struct usage all = { 0 };

	for (json_members(name, uses)) {
		struct usage u = usage_of_metrics(json_value(name));

		usage_add(&all, &u);
	}
	builder_total(log->builder, &all);
}

/* ---- events of OpenHands itself ---- */

/* The members of args may be those of the event itself, as in older events. */

/* Returns the arguments of the model's call, as the model wrote them; else the
 * event's. */
static const struct json *
args_of(const struct json *e, const struct json *id)
{
	const struct json *args = json_get(e, "args");
	const struct json *choice = json_first(
	    json_path(e, "tool_call_metadata.model_response.choices"));

	for (json_each(call, json_path(choice, "message.tool_calls")))
		if (id != NULL &&
		    str_eq(json_raw(json_get(call, "id")), json_raw(id)))
			return json_path(call, "function.arguments");
	if (field_is(e, "action", "call_tool_mcp"))
		return json_get(args, "arguments");
	return args != NULL ? args : e;
}

static void
read_call(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	struct hash_table *calls = log->state;
	const struct json *id =
	    field_find(e, "tool_call_metadata.tool_call_id");
	const struct json *number = json_get(e, "id");
	const struct json *args = args_of(e, id);

	if (id == NULL && json_is(number, JSON_NUMBER))
		id = builder_str(b, number->text);
	if (id != NULL && number != NULL) {
		struct str *body = arena_new(builder_arena(b), struct str);

		*body = copy_body(builder_arena(b), id);
		*hash_put_copy(calls, number->text) = body;
	}
	builder_call(b, .id = id,
	    .tool = field_find(
		e, "tool_call_metadata.function_name args.name action"),
	    .args = args, .decode = true);
}

/* Reads a message. Where its source is not logged, a message that waits for an
 * answer is the agent's. */
static void
read_message(struct log *log, const struct json *e)
{
	const struct json *content = field_find(e, "args.content content");

	if (log_rows_holds("source=agent, !source=? "
			   "args.wait_for_response|wait_for_response=true",
		e))
		builder_text(log->builder, content);
	else
		builder_prompt(log->builder, content);
}

/* Reads the agent's final words, unless they repeat its last thought. */
static void
read_final(struct log *log, const struct json *e)
{
	const struct json *final = json_path(e, "args.final_thought");

	if (str_eq(json_raw(final),
		json_raw(field_find(e, "args.thought thought"))))
		return;
	builder_locate(log->builder, .ts = json_get(e, "timestamp"));
	builder_text(log->builder, final);
}

#define RESPONSE "tool_call_metadata.model_response"

static const struct log_row steps[] = {
	LOG_ROW("", LOG_MESSAGE, .id = RESPONSE ".id"),
	LOG_ROW("!action=think", LOG_TEXT, .of = "args.thought thought"),
	LOG_ROW(RESPONSE "={", LOG_MODEL, .of = RESPONSE ".model"),
	LOG_ROW(RESPONSE "={", LOG_USAGE, .of = RESPONSE ".usage",
	    .id = RESPONSE ".id", .count = openai_usage_read),
	LOG_ROW("tool_call_metadata=?, !action=finish", LOG_HOOK,
	    .read = read_call),
	LOG_ROW("action=finish", LOG_HOOK, .read = read_final),
	LOG_LAST,
};

/* Actions of a user or of the program itself are no calls. */
static const struct log_row actions[] = {
	LOG_ROW("action=message", LOG_HOOK, .read = read_message),
	LOG_ROW("action=system", LOG_SYSTEM, .of = "args.content content"),
	LOG_ROW("source=user|environment else, "
		"action=recall|change_agent_state|null|condensation|"
		"condensation_request else",
	    LOG_NOTHING),
	LOG_ROW("else", LOG_IN, .of = "", .rows = steps),
	LOG_LAST,
};

/* Returns whether the observation is of a command that failed, of an edit that
 * failed, whose text says so, or of a result of MCP that is an error. NULL:
 * Python code may have failed. Any other error is an observation of its own. */
static const struct json *
failed(struct log *log, const struct json *e)
{
	const struct json *content = json_get(e, "content");
	const struct json *code = field_find(
	    e, "extras.metadata.exit_code exit_code extras.exit_code");

	if (json_is(code, JSON_NUMBER))
		return builder_bool(json_double(code) != 0);
	if (field_is(e, "observation", "mcp"))
		return builder_bool(json_is(
		    json_get(field_decode(log->scratch, content), "isError"),
		    JSON_TRUE));
	return field_is(e, "observation", "run_ipython")
	    ? NULL
	    : builder_bool(str_starts(json_raw(content), "ERROR:\\n"));
}

static void
read_observation(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	const struct json *cause = json_get(e, "cause");
	bool error = field_is(e, "observation", "error user_rejected");
	const struct str *body =
	    cause == NULL ? NULL : hash_get(log->state, cause->text);
	const struct json *id = body != NULL ? builder_str(b, *body)
	    : cause == NULL ? field_find(e, "tool_call_metadata.tool_call_id")
			    : NULL;

	/* An action of a user or of the program itself is no call. */
	if (field_is(e, "observation", "null") ||
	    (id == NULL &&
		(error || cause != NULL || json_get(e, "source") != NULL)))
		return;
	builder_result(b, .id = id,
	    .tool = id == NULL ? json_get(e, "observation") : NULL,
	    .value = json_get(e, "content"),
	    .is_error = error ? builder_bool(true) : failed(log, e),
	    .ok = json_get(e, "success"));
}

static void
locate(struct log *log, const struct json *e)
{
	builder_locate(log->builder, .ts = json_get(e, "timestamp"),
	    .message = json_get(e, "llm_response_id"),
	    .node = json_get(e, "kind") == NULL ? NULL : json_get(e, "id"),
	    .after = json_get(e, "parent_id"));
}

static const struct log_row events[] = {
	LOG_ROW("", LOG_LOCATE, .read = locate),
	LOG_ROW("kind=MessageEvent|ActionEvent", LOG_MESSAGE,
	    .id = "llm_response_id"),
	LOG_ROW("kind=MessageEvent source=agent", LOG_BLOCKS,
	    .of = "llm_message.content"),
	LOG_ROW("kind=MessageEvent !source=agent", LOG_PROMPT,
	    .of = "llm_message.content"),
	LOG_ROW("kind=ActionEvent", LOG_BLOCKS, .of = "thought"),
	LOG_ROW("kind=ActionEvent", LOG_CALL, .id = "tool_call_id",
	    .tool = "tool_name",
	    .args = "tool_call.arguments tool_call.function.arguments action",
	    .decode = true),
	LOG_ROW("kind=ActionEvent", LOG_REQUEST, .id = "llm_response_id"),
	LOG_ROW("kind=ActionEvent tool_name=finish", LOG_TEXT,
	    .of = "action.message"),
	LOG_ROW("kind=ACPToolCallEvent", LOG_HOOK, .read = read_acp_call),
	LOG_ROW("kind=ObservationEvent", LOG_RESULT, .id = "tool_call_id",
	    .result = "observation.content observation",
	    .is_error = "observation.is_error observation.error"),
	LOG_ROW("kind=AgentErrorEvent|UserRejectObservation", LOG_RESULT,
	    .id = "tool_call_id",
	    .result = "observation.content observation error rejection_reason",
	    .failed = "kind"),
	LOG_ROW("kind=ConversationErrorEvent", LOG_ERROR, .of = "detail code"),
	LOG_ROW("kind=ConversationStateUpdateEvent", LOG_HOOK,
	    .of = "value.usage_to_metrics value.stats.usage_to_metrics",
	    .read = read_stats),
	LOG_ROW("kind=SystemPromptEvent", LOG_SYSTEM, .of = "system_prompt"),
	LOG_ROW("kind=" SILENT, LOG_NOTHING),
	LOG_ROW("action=\" else", LOG_IN, .of = "", .rows = actions),
	LOG_ROW("observation=\" else", LOG_HOOK, .read = read_observation),
	LOG_ROW("llm_metrics !kind", LOG_HOOK, .of = "llm_metrics",
	    .read = read_metrics),
	LOG_LAST,
};

/* ---- a file for each event ---- */

static const char *
file_owner(struct log *log, const struct json *record)
{
	return is_event(record) || log_rows_holds(STATE, record)
	    ? openhands_files_owner(log->arena, log->path)
	    : NULL;
}

static char **
files_beside(struct log *log)
{
	return openhands_files_beside(log->arena, log->path);
}

/* ---- runs ---- */

static void
begin(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct hash_table *calls;

	builder_begin_run(b);
	/* Bodies of the calls' ids (struct str), by the text of the event's id. */
	log->state = calls = arena_new(builder_arena(b), struct hash_table);
	calls->arena = builder_arena(b);
	builder_set(b, RUN_SCENARIO, json_get(r, "instance_id"));
	builder_set(b, RUN_AGENT, json_path(r, "metadata.agent_class"));
	builder_meta(b, "test_result", json_get(r, "test_result"));
	builder_error(b, json_get(r, "error"));
}

static void
end_list(struct log *log, const struct json *r)
{
	if (json_get(r, "metrics") != NULL)
		read_metrics(log, json_get(r, "metrics"));
	builder_end_run(log->builder);
	log->state = NULL;
}

/* ---- records ---- */

static void
before(struct log *log, const struct json *r)
{
	if (log->state == NULL &&
	    log_rows_holds("kind, action, observation", r))
		begin(log, NULL);
}

/* Events, or pairs of an action and its observation. */
static const struct log_row list[] = {
	LOG_ROW("=[", LOG_EACH, .rows = events),
	LOG_ROW("else", LOG_IN, .of = "", .rows = events),
	LOG_LAST,
};

/* A list is a run of its own; single events form one run together. */
static const struct log_row rows[] = {
	LOG_ROW("=[, history=[", LOG_HOOK, .read = begin),
	LOG_ROW("=[", LOG_EACH, .rows = list),
	LOG_ROW("history=[", LOG_EACH, .of = "history", .rows = list),
	LOG_ROW("=[, history=[", LOG_HOOK, .read = end_list),
	LOG_ROW(STATE, LOG_SET, .of = "id", .member = RUN_ID),
	LOG_ROW(STATE, LOG_MODEL, .of = "agent.llm.model"),
	LOG_ROW(STATE, LOG_HOOK, .of = "stats.usage_to_metrics",
	    .read = read_stats),
	LOG_ROW("else", LOG_IN, .of = "", .rows = events),
	LOG_LAST,
};

const struct log_format log_format_openhands = {
	.name = "openhands",
	.what = "OpenHands: events, also in folders; output of its benchmarks",
	.score = score,
	.asked = "history, execution_status, source",
	.before = before,
	.rows = rows,
	.knows_blocks = true, /* actions of the program itself are no calls */
	.beside = files_beside,
	.owner = file_owner,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
