/*
 * OpenHands: lists of events, alone or as the history of a benchmark's line;
 * the events of its SDK (version 1) too, which are of other kinds.
 */
#include "../hash.h"
#include "../logfmt.h"
#include "../openai_message.h"
#include "openhands_sdk.h"

/* The calls of a run, by the text of the event's id. */
struct events {
	struct hash_table calls; /* struct str: bodies of their ids */
};

/* Old ones do not say where they come from. */
static bool
is_event(const struct json *e)
{
	return openhands_sdk_is(e) ||
	    json_is(json_get(e, STR("action")), JSON_STRING) ||
	    json_is(json_get(e, STR("observation")), JSON_STRING);
}

/* A list of events, or of pairs of an action and what came of it. */
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

	if (are_events(json_get(r, STR("history"))))
		return LOGFMT_SURE;
	return is_event(first) && json_get(first, STR("source")) != NULL &&
		json_get(first, STR("timestamp")) != NULL
	    ? LOGFMT_SURE
	    : 0;
}

/* ---- what was used ---- */

static void
read_response(struct builder *b, const struct json *response)
{
	struct usage u = { 0 };

	if (!json_is(response, JSON_OBJECT))
		return;
	builder_model(b, json_get(response, STR("model")));
	openai_usage_read(&u, json_get(response, STR("usage")));
	builder_usage(b, json_raw(json_get(response, STR("id"))), &u, false);
}

/* All so far. Where the price is not known, the cost is logged as 0. */
static struct usage
usage_of_metrics(const struct json *m)
{
	const struct json *counts = json_get(m, STR("accumulated_token_usage"));
	const struct json *cost = json_get(m, STR("accumulated_cost"));
	struct usage u = { 0 };

	usage_read(
	    &u, USAGE_CACHE_READ, json_get(counts, STR("cache_read_tokens")));
	usage_read(
	    &u, USAGE_CACHE_WRITE, json_get(counts, STR("cache_write_tokens")));
	usage_input_with_cache(&u, json_get(counts, STR("prompt_tokens")));
	usage_read(
	    &u, USAGE_OUTPUT, json_get(counts, STR("completion_tokens")));
	usage_read(
	    &u, USAGE_REASONING, json_get(counts, STR("reasoning_tokens")));
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

/* The SDK counts for each use of a model apart. */
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

/* What the model asked for, in its words; else what the event says. */
static const struct json *
args_of(const struct json *e, const struct json *id)
{
	const struct json *args = json_get(e, STR("args"));
	const struct json *choice = json_at(
	    json_path(e, "tool_call_metadata.model_response.choices"), 0);

	for (json_each(call, json_path(choice, "message.tool_calls")))
		if (id != NULL &&
		    str_eq(json_raw(json_get(call, STR("id"))), json_raw(id)))
			return json_path(call, "function.arguments");
	if (log_is(e, "action", "call_tool_mcp"))
		return json_get(args, STR("arguments"));
	return args != NULL ? args : e;
}

static void
read_call(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	struct events *state = log->state;
	const struct json *id = log_find(e, "tool_call_metadata.tool_call_id");
	const struct json *number = json_get(e, STR("id"));
	const struct json *tool =
	    log_find(e, "tool_call_metadata.function_name args.name action");
	const struct json *args = args_of(e, id);

	if (id == NULL && json_is(number, JSON_NUMBER))
		id = builder_str(b, number->text);
	if (id != NULL && number != NULL) {
		struct str *body = arena_new(&b->run_arena, struct str);

		*body = keep_body(&b->run_arena, id);
		*hash_put(&state->calls, str_dup(&b->run_arena, number->text)) =
		    body;
	}
	builder_call(b,
	    &(struct builder_call){
		.id = id, .tool = tool, .args = args, .decode = true });
}

/* An agent's message waits for an answer; a user's does not. */
static void
read_message(struct builder *b, const struct json *e)
{
	const struct json *content = log_find(e, "args.content content");
	const struct json *source = json_get(e, STR("source"));
	bool waits = json_is(
	    log_find(e, "args.wait_for_response wait_for_response"), JSON_TRUE);

	if (source != NULL ? json_str_is(source, STR("agent")) : waits)
		builder_text(b, content);
	else
		builder_prompt(b, content);
}

/* What an agent says at the end, if it is not what it said before. */
static void
read_final(struct builder *b, const struct json *e)
{
	const struct json *said = log_find(e, "args.thought thought");
	const struct json *final = json_path(e, "args.final_thought");

	if (str_eq(json_raw(final), json_raw(said)))
		return;
	builder_at(
	    b, &(struct builder_at){ .ts = json_get(e, STR("timestamp")) });
	builder_text(b, final);
}

static void
read_action(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	bool called = json_get(e, STR("tool_call_metadata")) != NULL;
	bool finish = log_is(e, "action", "finish");

	if (log_is(e, "action", "message")) {
		read_message(b, e);
		return;
	}
	if (log_is(e, "source", "user") || log_is(e, "source", "environment") ||
	    log_is(e, "action",
		"system recall change_agent_state null condensation "
		"condensation_request"))
		return;
	if (!log_is(e, "action", "think"))
		builder_text(b, log_find(e, "args.thought thought"));
	read_response(b, json_path(e, "tool_call_metadata.model_response"));
	if (called || !finish)
		read_call(log, e);
	if (finish)
		read_final(b, e);
}

static const struct json *
failed(const struct json *e)
{
	const struct json *code =
	    log_find(e, "extras.metadata.exit_code exit_code extras.exit_code");

	return json_is(code, JSON_NUMBER) ? builder_bool(json_double(code) != 0)
					  : NULL;
}

static void
read_observation(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	struct events *state = log->state;
	const struct json *cause = json_get(e, STR("cause"));
	bool error = log_is(e, "observation", "error user_rejected");
	const struct str *body =
	    cause == NULL ? NULL : hash_get(&state->calls, cause->text);
	const struct json *id = body != NULL ? builder_str(b, *body)
	    : cause == NULL ? log_find(e, "tool_call_metadata.tool_call_id")
			    : NULL;

	/* What a user or the program itself did is no call. */
	if (log_is(e, "observation", "null") ||
	    (id == NULL &&
		(error || cause != NULL || json_get(e, STR("source")) != NULL)))
		return;
	builder_result(b,
	    &(struct builder_result){
		.id = id,
		.tool = id == NULL ? json_get(e, STR("observation")) : NULL,
		.value = json_get(e, STR("content")),
		.is_error = error ? builder_bool(true) : failed(e),
		.ok = json_get(e, STR("success")),
	    });
}

/* ---- runs ---- */

static void
read_event(struct log *log, const struct json *e)
{
	if (json_is(e, JSON_ARRAY)) {
		for (json_each(one, e))
			read_event(log, one);
		return;
	}
	builder_at(log->builder,
	    &(struct builder_at){
		.ts = json_get(e, STR("timestamp")),
		.message = json_get(e, STR("llm_response_id")),
	    });
	if (openhands_sdk_is(e))
		openhands_sdk_read(log->builder, e);
	else if (json_get(e, STR("action")) != NULL)
		read_action(log, e);
	else
		read_observation(log, e);
	if (json_get(e, STR("llm_metrics")) != NULL)
		read_metrics(log->builder, json_get(e, STR("llm_metrics")));
	if (log_is(e, "kind", "ConversationStateUpdateEvent"))
		read_stats(log->builder,
		    log_find(e,
			"value.usage_to_metrics "
			"value.stats.usage_to_metrics"));
}

static void
read_about(struct builder *b, const struct json *r)
{
	builder_set(b, RUN_SCENARIO, json_get(r, STR("instance_id")));
	builder_set(b, RUN_AGENT, json_path(r, "metadata.agent_class"));
	builder_meta(b, "test_result", json_get(r, STR("test_result")));
	builder_error(b, json_get(r, STR("error")));
}

static void
begin(struct log *log)
{
	struct arena *run = &log->builder->run_arena; /* a file has many */
	struct events *state;

	builder_run(log->builder);
	log->state = state = arena_new(run, struct events);
	state->calls.arena = run;
}

/* A list is a run; single events are one together. */
static void
read_record(struct log *log, const struct json *r)
{
	const struct json *history = json_get(r, STR("history"));
	const struct json *list = json_is(r, JSON_ARRAY) ? r : history;

	if (list == NULL && is_event(r)) {
		if (log->state == NULL)
			begin(log);
		read_event(log, r);
		return;
	}
	if (!are_events(list))
		return;
	begin(log);
	if (list == history)
		read_about(log->builder, r);
	read_event(log, list);
	if (json_get(r, STR("metrics")) != NULL)
		read_metrics(log->builder, json_get(r, STR("metrics")));
	builder_done(log->builder);
	log->state = NULL;
}

const struct logfmt logfmt_openhands = {
	.name = "openhands",
	.what =
	    "OpenHands: lists of events, and output.jsonl of its benchmarks",
	.score = score,
	.read = read_record,
};
