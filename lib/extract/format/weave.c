/*
 * Calls exported from W&B Weave, which are spans: one a line, or a list, as its
 * interface and its API give them.
 */
#include "extract/api/anthropic_message.h"
#include "extract/api/openai_item.h"
#include "extract/api/openai_message.h"
#include "extract/format/span_log.h"
#include "extract/otel/genai.h"
#include "extract/otel/otel.h"
#include "extract/value/copy.h"

/* Holds what is known of a call besides its span (span->data). */
struct call {
	struct str op;
	bool used, used_below;   /* the call, or a call within it, has counts */
	struct span *agent_span; /* of an example: the first span within it */
};

static struct call *
call_of(const struct span *s)
{
	return s->data;
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

static void
add_call(struct log *log, const struct json *v)
{
	struct span *s = log_add_span(log, v);
	struct span *known;
	struct call *call;

	s->trace = json_raw(json_get(v, "trace_id"));
	s->id = json_raw(json_get(v, "id"));
	known = spans_get(log_spans(log), s->id);
	call =
	    known != NULL ? call_of(known) : arena_new(log->arena, struct call);
	s->data = call;
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
	(void)spans_done(log_spans(log), s, s->id);
	call->used |= json_count(field_find(v, "summary.usage")) != 0;
}

static const struct log_row rows[] = {
	LOG_ROW(CALL, LOG_KEEP, .id = "trace_id", .read = add_call),
	LOG_ROW("=[", LOG_EACH, .rows = rows, .apart = true),
	LOG_LAST,
};

/* ---- what lies in what ---- */

enum { DEPTH_MAX = 1000 }; /* limit on the depth of calls; a cycle ends there */

/* Marks the calls around a call with counts. Their counts are sums, so only a
 * call without counts within it is a model's. */
static void
mark_used(const struct spans *spans, const struct span *s)
{
	int depth = 0;

	for (s = spans_get(spans, s->parent);
	     s != NULL && !call_of(s)->used_below && depth < DEPTH_MAX;
	     depth++) {
		call_of(s)->used_below = true;
		s = spans_get(spans, s->parent);
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
mark_agent_span(const struct spans *spans, struct span *s)
{
	const struct span *up = spans_get(spans, s->parent);
	struct call *example = up == NULL ? NULL : call_of(up);

	if (example != NULL && str_is(example->op, EXAMPLE) &&
	    (example->agent_span == NULL ||
		s->start < example->agent_span->start))
		example->agent_span = s;
}

/* Returns whether the call is a scorer's. Makes each example a run of its
 * own. */
static bool
place_call(const struct spans *spans, struct span *s)
{
	const struct span *in = s, *up = spans_get(spans, s->parent);

	for (int depth = 0; up != NULL && depth < DEPTH_MAX; depth++) {
		if (str_is(call_of(up)->op, EXAMPLE)) {
			if (call_of(up)->agent_span != in)
				return true;
			s->trace = up->id;
			return false;
		}
		in = up;
		up = spans_get(spans, in->parent);
	}
	return false;
}

static void
end(struct log *log)
{
	const struct spans *spans = log_spans(log);

	for (size_t i = spans->n; i-- != 0;) {
		mark_agent_span(spans, spans->list[i]);
		if (call_of(spans->list[i])->used)
			mark_used(spans, spans->list[i]);
	}
	for (size_t i = 0; i < spans->n; i++) {
		struct span *s = spans->list[i];
		const struct call *call = call_of(s);

		if (place_call(spans, s)) {
			s->usage = (struct usage){ 0 };
			s->tool = NULL;
		} else if (str_contains(call->op, "embed")) {
			otel_genai_set_embedding(s);
		} else if ((call->used && !call->used_below) ||
		    is_request(s->input)) {
			s->kind = SPAN_MODEL;
			s->tool = NULL;
		}
	}
	log_end_spans(log);
}

const struct log_format log_format_weave = {
	.name = "weave",
	.what = "W&B Weave: calls of programs and evaluations",
	.shared_keys = "trace_id",
	.sure = CALL,
	.nested = "0",
	.lists = ".",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
