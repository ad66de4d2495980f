/*
 * Google's Agent Development Kit (ADK): sessions (one object with "events"),
 * single events, one a line, and the results of evaluations, whose cases hold
 * conversations. Members are spelled in snake_case or camelCase.
 */
#include "base/hash.h"
#include "extract/api/chat_emit.h"
#include "extract/api/gemini_content.h"
#include "extract/format/log_format.h"

/* Members of an event; the first ones have two spellings. */
enum { INVOCATION, MODEL, USAGE, ERROR, CODE, PAIRS };
enum { AUTHOR = 2 * PAIRS, CONTENT, OPTIONS, PARTIAL, ID, TIMESTAMP, MEMBERS };

static const struct str members[MEMBERS] = {
	[INVOCATION] = STR_CONST("invocationId"),
	[MODEL] = STR_CONST("modelVersion"),
	[USAGE] = STR_CONST("usageMetadata"),
	[ERROR] = STR_CONST("errorMessage"),
	[CODE] = STR_CONST("errorCode"),
	[PAIRS + INVOCATION] = STR_CONST("invocation_id"),
	[PAIRS + MODEL] = STR_CONST("model_version"),
	[PAIRS + USAGE] = STR_CONST("usage_metadata"),
	[PAIRS + ERROR] = STR_CONST("error_message"),
	[PAIRS + CODE] = STR_CONST("error_code"),
	[AUTHOR] = STR_CONST("author"),
	[CONTENT] = STR_CONST("content"),
	[OPTIONS] = STR_CONST("options"),
	[PARTIAL] = STR_CONST("partial"),
	[ID] = STR_CONST("id"),
	[TIMESTAMP] = STR_CONST("timestamp"),
};

/* Picks the members of e into m; returns whether e is an event. */
static bool
is_event(const struct json *e, const struct json **m)
{
	field_pick(e, members, MEMBERS, PAIRS, m);
	return json_is(m[AUTHOR], JSON_STRING) && m[INVOCATION] != NULL;
}

static const struct json *
cases_of(const struct json *r)
{
	return field_find(r, "eval_cases evalCases eval_case_results");
}

static int
score(const struct json *r)
{
	const struct json *first = json_at(cases_of(r), 0);
	const struct json *m[MEMBERS];

	return is_event(r, m) ||
		is_event(json_at(json_get(r, "events"), 0), m) ||
		field_find(first,
		    "conversation eval_metric_result_per_invocation") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_content(struct log *log, const struct json *content, bool by_user)
{
	struct chat d;

	if (content == NULL)
		return;
	arena_reset(log->scratch);
	d = chat_read(log->scratch, content, by_user ? CHAT_USER : CHAT_MODEL);
	chat_emit(log->builder, &d);
}

static void
read_usage(struct builder *b, const struct json *counts, const struct json *id)
{
	struct usage u = { 0 };

	if (!json_is(counts, JSON_OBJECT))
		return;
	gemini_usage_read(&u, counts);
	builder_usage(b, json_raw(id), &u, false);
}

/* Reads an event. A partial event is skipped, since the whole event follows. */
static void
read_event(struct log *log, const struct json *const *m)
{
	struct builder *b = log->builder;
	bool by_user = json_str_is(m[AUTHOR], "user");
	const struct json *partial =
	    m[PARTIAL] != NULL ? m[PARTIAL] : json_get(m[OPTIONS], "partial");

	if (json_is(partial, JSON_TRUE))
		return;
	builder_locate(b, .ts = m[TIMESTAMP]);
	if (!by_user)
		builder_set_first(b, RUN_AGENT, m[AUTHOR]);
	builder_model(b, m[MODEL]);
	read_content(log, m[CONTENT], by_user);
	read_usage(b, m[USAGE], m[ID]);
	if (m[ERROR] != NULL || m[CODE] != NULL)
		builder_error(b, m[ERROR] != NULL ? m[ERROR] : m[CODE]);
	else if (!by_user && m[CONTENT] != NULL)
		builder_error(b, NULL); /* the agent continued */
}

/* A request to a model, with its response. Older sessions keep these apart from
 * the events. */
struct request {
	struct request *next; /* of the same event */
	/* Last of this list; set in the first request of the event only. */
	struct request *last;
	const struct json *v;
};

/* Returns the first request of each event, by the event's id; all are in the
 * run's arena. */
static struct hash_table
requests_of(struct builder *b, const struct json *logs)
{
	struct hash_table firsts = { .arena = &b->run_arena };

	for (json_each(one, logs)) {
		struct str id = json_raw(json_get(one, "event_id"));
		struct request *r = arena_new(firsts.arena, struct request);
		void **slot = hash_put(&firsts, id);
		struct request *first = *slot;

		r->v = one;
		if (first == NULL)
			*slot = first = r;
		else
			first->last->next = r;
		first->last = r;
	}
	return firsts;
}

static void
read_older_usage(
    struct builder *b, const struct hash_table *requests, const struct json *id)
{
	const struct request *r =
	    json_raw(id).n == 0 ? NULL : hash_get(requests, json_raw(id));

	for (; r != NULL; r = r->next) {
		builder_model(b, field_find(r->v, "model_request.model"));
		read_usage(
		    b, field_find(r->v, "model_response.usage_metadata"), id);
	}
}

static void
read_session(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS];
	struct hash_table requests;

	builder_begin_run(b);
	requests = requests_of(b, json_get(r, "event_logs"));
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_meta(b, "app", field_find(r, "appName app_name"));
	builder_meta(b, "state", json_get(r, "state"));
	for (json_each(e, json_get(r, "events"))) {
		field_pick(e, members, MEMBERS, PAIRS, m);
		read_event(log, m);
		read_older_usage(b, &requests, m[ID]);
	}
	builder_end_run(b);
}

/* ---- evaluations ---- */

static void
read_uses(struct builder *b, const struct json *data)
{
	for (json_each(use, field_find(data, "tool_uses toolUses")))
		builder_call(b, .id = json_get(use, "id"),
		    .tool = json_get(use, "name"),
		    .args = json_get(use, "args"));
	for (json_each(r, field_find(data, "tool_responses toolResponses")))
		builder_result(b, .id = json_get(r, "id"),
		    .tool = json_get(r, "name"),
		    .value = json_get(r, "response"),
		    .is_error = field_find(r, "response.error") != NULL
			? builder_bool(true)
			: json_path(r, "response.isError"));
}

static void
read_invocation(struct log *log, const struct json *v)
{
	const struct json *data =
	    field_find(v, "intermediate_data intermediateData");

	builder_locate(log->builder,
	    .ts = field_find(v, "creation_timestamp creationTimestamp"));
	read_content(log, field_find(v, "user_content userContent"), true);
	read_uses(log->builder, data);
	for (json_each(
		 e, field_find(data, "invocation_events invocationEvents")))
		read_content(log, json_get(e, "content"), false);
	read_content(log, field_find(v, "final_response finalResponse"), false);
}

static void
read_case(struct log *log, const struct json *r, const struct json *one)
{
	struct builder *b = log->builder;

	log_source(log, one);
	builder_begin_run(b);
	builder_set(b, RUN_GROUP,
	    field_find(r, "eval_set_result_id eval_set_id evalSetId"));
	builder_set(b, RUN_SCENARIO, field_find(one, "eval_id evalId"));
	for (json_each(v, json_get(one, "conversation")))
		read_invocation(log, v);
	for (json_each(v, json_get(one, "eval_metric_result_per_invocation")))
		read_invocation(log, json_get(v, "actual_invocation"));
	builder_end_run(b);
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m[MEMBERS];

	if (is_event(r, m)) {
		read_event(log, m);
		return;
	}
	if (json_get(r, "events") != NULL)
		read_session(log, r);
	for (json_each(one, cases_of(r)))
		read_case(log, r, one);
}

const struct log_format log_format_adk = {
	.name = "adk",
	.what = "Google ADK: sessions, events, evaluations",
	.score = score,
	.signs = "author events eval_cases evalCases eval_case_results",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
