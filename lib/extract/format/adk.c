/*
 * Google's Agent Development Kit (ADK): sessions (one object with "events"),
 * single events, one a line, and the results of evaluations, whose cases hold
 * conversations. Members are spelled in snake_case or camelCase.
 */
#include "base/hash.h"
#include "extract/api/chat_emit.h"
#include "extract/api/gemini_content.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"

#define EVENT "author=\" invocationId, author=\" invocation_id"

static void
read_content(struct log *log, const struct json *content, bool by_user)
{
	struct chat d;

	if (content == NULL)
		return;
	arena_reset(log->scratch);
	d = chat_read(log->scratch, content, by_user ? CHAT_USER : CHAT_MODEL);
	chat_emit(log->builder, &d);
	if (d.n == 0 && json_get(content, "parts") != NULL)
		log_unread(log, content);
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
	struct hash_table firsts = { .arena = builder_arena(b) };

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
read_older_usage(struct log *log, const struct json *id)
{
	const struct hash_table *requests = log->state;
	const struct request *r = requests == NULL || json_raw(id).n == 0
	    ? NULL
	    : hash_get(requests, json_raw(id));

	for (; r != NULL; r = r->next) {
		builder_model(
		    log->builder, field_find(r->v, "model_request.model"));
		read_usage(log->builder,
		    field_find(r->v, "model_response.usage_metadata"), id);
	}
}

static void
read_event(struct log *log, const struct json *e)
{
	struct builder *b = log->builder;
	bool by_user = field_is(e, "author", "user");
	const struct json *content = field_find(e, "content");
	const struct json *id = json_get(e, "id");
	const struct json *error =
	    field_find(e, "errorMessage error_message errorCode error_code");

	if (!by_user) {
		builder_set_first(b, RUN_AGENT, json_get(e, "author"));
		builder_agent(b, json_get(e, "author"));
	}
	builder_model(b, field_find(e, "modelVersion model_version"));
	read_content(log, content, by_user);
	builder_stop_reason(b, field_find(e, "finishReason finish_reason"));
	read_usage(b, field_find(e, "usageMetadata usage_metadata"), id);
	if (error != NULL)
		builder_error(b, error);
	else if (!by_user && content != NULL)
		builder_error(b, NULL); /* the agent continued */
	read_older_usage(log, id);
}

/* The whole event follows a partial event. */
#define PARTIAL "partial=true, options.partial=true"
#define WHOLE "author=\" !partial=true !options.partial=true"

static const struct log_row events[] = {
	LOG_ROW(PARTIAL, LOG_NOTHING),
	LOG_ROW(WHOLE, LOG_LOCATE, .of = "timestamp"),
	LOG_ROW(WHOLE, LOG_HOOK, .read = read_event),
	LOG_LAST,
};

static void
begin_session(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct hash_table *requests;

	builder_begin_run(b);
	requests = arena_new(builder_arena(b), struct hash_table);
	*requests = requests_of(b, json_get(r, "event_logs"));
	log->state = requests;
}

static void
end_session(struct log *log, const struct json *r)
{
	(void)r;
	log->state = NULL;
	builder_end_run(log->builder);
}

/* ---- evaluations ---- */

static void
read_user_content(struct log *log, const struct json *content)
{
	read_content(log, content, true);
}

static void
read_model_content(struct log *log, const struct json *content)
{
	read_content(log, content, false);
}

static const struct log_row uses[] = {
	LOG_ROW("name", LOG_CALL, .id = "id", .tool = "name", .args = "args"),
	LOG_LAST,
};

static const struct log_row responses[] = {
	LOG_ROW("response.error", LOG_RESULT, .id = "id", .tool = "name",
	    .result = "response", .failed = "response.error"),
	LOG_ROW("else", LOG_RESULT, .id = "id", .tool = "name",
	    .result = "response", .is_error = "response.isError"),
	LOG_LAST,
};

static const struct log_row contents[] = {
	LOG_ROW("!author=user", LOG_AGENT, .of = "author"),
	LOG_ROW(
	    "content", LOG_HOOK, .of = "content", .read = read_model_content),
	LOG_ROW("author else", LOG_NOTHING),
	LOG_LAST,
};

#define DATA(snake, camel) \
	.of = "intermediate_data." snake " intermediateData." camel

static const struct log_row invocation[] = {
	LOG_ROW("", LOG_LOCATE, .of = "creation_timestamp creationTimestamp"),
	LOG_ROW("", LOG_HOOK, .of = "user_content userContent",
	    .read = read_user_content),
	LOG_ROW("", LOG_EACH, DATA("tool_uses", "toolUses"), .rows = uses),
	LOG_ROW("", LOG_EACH, DATA("tool_responses", "toolResponses"),
	    .rows = responses),
	LOG_ROW("", LOG_EACH, DATA("invocation_events", "invocationEvents"),
	    .rows = contents),
	LOG_ROW("", LOG_HOOK, .of = "final_response finalResponse",
	    .read = read_model_content),
	LOG_LAST,
};

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
		log_read_part(log, invocation, v);
	for (json_each(v, json_get(one, "eval_metric_result_per_invocation")))
		log_read_part(
		    log, invocation, json_get(v, "actual_invocation"));
	builder_end_run(b);
}

static void
read_cases(struct log *log, const struct json *r)
{
	for (json_each(
		 one, field_find(r, "eval_cases evalCases eval_case_results")))
		read_case(log, r, one);
}

static const struct log_row rows[] = {
	LOG_ROW(EVENT, LOG_IN, .of = "", .rows = events),
	LOG_ROW("events=[", LOG_HOOK, .read = begin_session),
	LOG_ROW("events=[", LOG_SET, .of = "id", .member = RUN_ID),
	LOG_ROW("events=[", LOG_META, .of = "appName app_name", .name = "app"),
	LOG_ROW("events=[", LOG_META, .of = "state", .name = "state"),
	LOG_ROW("events=[", LOG_EACH, .of = "events", .rows = events),
	LOG_ROW("events=[", LOG_HOOK, .read = end_session),
	LOG_ROW("eval_cases, evalCases, eval_case_results", LOG_HOOK,
	    .read = read_cases),
	LOG_LAST,
};

const struct log_format log_format_adk = {
	.name = "adk",
	.what = "Google ADK: sessions, events, evaluations",
	.sure = EVENT ", eval_cases.0.conversation|evalCases.0.conversation, "
		      "eval_case_results.0.eval_metric_result_per_invocation",
	.nested = "events.0",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
