/*
 * Calls exported from W&B Weave, which are spans: one a line, or a list, as its
 * interface and its API give them.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_item.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/otel/genai.h"
#include "extract/otel/otel.h"
#include "extract/span/spans.h"
#include "extract/value/copy.h"

/* A call, with its place in the tree of spans. */
struct call {
	struct call *next;
	struct span *span;
	const struct json *inputs;
	struct str op;
	bool used, used_below;   /* the call, or a call within it, has counts */
	struct span *agent_span; /* of an example: the first span within it */
};

struct calls {
	void *spans;
	struct hash_table by_id;
	struct call *first;
};

static struct calls *
calls_of(struct log *log)
{
	struct calls *calls = log->state;

	if (calls == NULL) {
		log->state = calls = arena_new(log->arena, struct calls);
		calls->by_id.arena = log->arena;
	}
	return calls;
}

#define CALL "op_name=\" trace_id started_at"

/* Returns the name of the op, which is
 * "weave:///entity/project/op/NAME:version" or a bare name. */
static struct str
op_of(const struct json *v)
{
	struct str rest = json_raw(json_get(v, "op_name")), part = rest;

	while (rest.s != NULL)
		part = str_cut(&rest, '/');
	return str_slice(part, 0, str_find_char(part, ':'));
}

/* ---- tokens ---- */

/* Reads the counts, which have the words of the model's maker. */
static void
read_counts(struct usage *u, const struct json *counts)
{
	struct usage more = { 0 };

	if (field_find(counts, "prompt_tokens") != NULL)
		openai_usage_read(&more, counts);
	else if (field_find(counts, "input_tokens_details") != NULL)
		openai_item_usage(&more, counts);
	else
		anthropic_usage_read(&more, counts);
	usage_add(u, &more);
}

static void
read_costs(struct usage *u, const struct json *costs)
{
	static const char *const names[] = { "prompt_tokens_total_cost",
		"completion_tokens_total_cost",
		"cache_read_input_tokens_total_cost",
		"cache_creation_input_tokens_total_cost" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct usage more = { 0 };

		usage_read(&more, USAGE_COST, field_find(costs, names[i]));
		usage_add(u, &more);
	}
}

static void
read_usage(struct span *s, const struct json *summary)
{
	for (json_members(model, json_get(summary, "usage"))) {
		s->model = model;
		read_counts(&s->usage, json_value(model));
	}
	for (json_members(model, field_find(summary, "weave.costs")))
		read_costs(&s->usage, json_value(model));
}

/* ---- a call ---- */

/* Returns the message of an exception, which is JSON as text with a type, a
 * message and a traceback; else the text itself. */
static const struct json *
error_of(struct arena *a, const struct json *v)
{
	const struct json *message = json_get(field_decode(a, v), "message");

	return json_raw(message).n != 0 ? message : v;
}

/* Returns the call with this id. A call may be there twice, as on two pages:
 * the last one counts. */
static struct call *
call_of(struct calls *calls, struct arena *a, struct str id)
{
	void **slot = hash_put(&calls->by_id, id);
	struct call *call = *slot;

	if (call != NULL && id.n != 0)
		return call;
	*slot = call = arena_new(a, struct call);
	call->next = calls->first;
	return calls->first = call;
}

static void
add_call(struct log *log, const struct json *v)
{
	struct calls *calls = calls_of(log);
	struct place at = log_place(log, v);
	struct str id = json_raw(json_get(v, "id"));
	struct spans *spans = spans_in(log->arena, &calls->spans);
	struct span *s = spans_add(spans, at.file, at.line);
	struct call *call = call_of(calls, log->arena, id);

	s->trace = json_raw(json_get(v, "trace_id"));
	s->id = id;
	s->parent = json_raw(json_get(v, "parent_id"));
	s->start = otel_time(field_find(v, "started_at"), false);
	s->end = otel_time(field_find(v, "ended_at"), false);
	s->error = error_of(log->arena, field_find(v, "exception"));
	s->conversation = field_find(v, "thread_id");
	s->input = s->args = field_find(v, "inputs");
	s->output = s->result = field_find(v, "output");
	s->is_error = builder_bool(s->error != NULL);
	call->op = op_of(v);
	s->tool = copy_string(log->arena, call->op);
	read_usage(s, json_get(v, "summary"));
	call->span = spans_done(spans, s, id);
	call->used |= json_count(field_find(v, "summary.usage")) != 0;
	call->inputs = call->span->input;
}

static const struct log_row list[] = {
	LOG_ROW(CALL, LOG_KEEP, .id = "trace_id", .read = add_call),
	LOG_LAST,
};

static const struct log_row rows[] = {
	LOG_ROW(CALL, LOG_KEEP, .id = "trace_id", .read = add_call),
	LOG_ROW("=[", LOG_EACH, .rows = list),
	LOG_LAST,
};

/* ---- what lies in what ---- */

enum { DEPTH_MAX = 1000 }; /* limit on the depth of calls; a cycle ends there */

static struct call *
call_above(const struct calls *calls, const struct call *call)
{
	return call->span->parent.n == 0
	    ? NULL
	    : hash_get(&calls->by_id, call->span->parent);
}

/* Marks the calls around a call with counts. Their counts are sums, so only a
 * call without counts within it is a model's. */
static void
mark_used(const struct calls *calls, const struct call *call)
{
	int depth = 0;

	for (struct call *c = call_above(calls, call);
	     c != NULL && !c->used_below && depth < DEPTH_MAX; depth++) {
		c->used_below = true;
		c = call_above(calls, c);
	}
}

static bool
is_request(const struct json *inputs)
{
	return json_is(json_get(inputs, "model"), JSON_STRING) &&
	    field_find(inputs, "messages contents input") != NULL;
}

/* ---- evaluations ---- */

/* The op of an example of an evaluation. All examples are one trace; in each,
 * the agent is called first, and then its output is scored. */
#define EXAMPLE "Evaluation.predict_and_score"

static void
mark_agent_span(const struct calls *calls, struct call *call)
{
	struct call *up = call_above(calls, call);

	if (up != NULL && str_is(up->op, EXAMPLE) &&
	    (up->agent_span == NULL ||
		call->span->start < up->agent_span->start))
		up->agent_span = call->span;
}

/* Returns whether the call is a scorer's. Makes each example a run of its
 * own. */
static bool
place_call(const struct calls *calls, struct call *call)
{
	struct call *in = call, *up;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		up = call_above(calls, in);
		if (up == NULL)
			return false;
		if (str_is(up->op, EXAMPLE)) {
			if (up->agent_span != in->span)
				return true;
			call->span->trace = up->span->id;
			return false;
		}
		in = up;
	}
	return false;
}

static void
end(struct log *log)
{
	struct calls *calls = calls_of(log);
	struct call *call;

	for (call = calls->first; call != NULL; call = call->next) {
		mark_agent_span(calls, call);
		if (call->used)
			mark_used(calls, call);
	}
	for (call = calls->first; call != NULL; call = call->next) {
		struct span *s = call->span;

		if (place_call(calls, call)) {
			s->usage = (struct usage){ 0 };
			s->tool = NULL;
			continue;
		}
		if (str_contains(call->op, "embed")) {
			otel_genai_set_embedding(s);
		} else if ((call->used && !call->used_below) ||
		    is_request(call->inputs)) {
			s->kind = SPAN_MODEL;
			s->tool = NULL;
		}
	}
	spans_emit(
	    spans_in(log->arena, &calls->spans), log->builder, log->text);
}

const struct log_format log_format_weave = {
	.name = "weave",
	.what = "W&B Weave: calls of programs and evaluations",
	.sure = CALL,
	.nested = "0",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
