/*
 * Logs and experiments of Braintrust, whose rows are spans: one row a line, a
 * list of rows, or a page of its API.
 */
#include "extract/format/span_log.h"
#include "extract/otel/genai.h"
#include "extract/otel/otel.h"
#include "extract/value/copy.h"

#define ROW "root_span_id=\" span_attributes={ span_id"

/* Reads the counts of a span. The input count includes cached tokens. */
static void
read_usage(struct usage *u, const struct json *counts)
{
	field_usage(u, counts, .input_and_cache = "prompt_tokens",
	    .output = "completion_tokens", .cache_read = "prompt_cached_tokens",
	    .cache_write = "prompt_cache_creation_tokens",
	    .reasoning = "completion_reasoning_tokens",
	    .cost = "estimated_cost");
}

static void
read_kind(struct span *s, const struct json *v)
{
	const struct json *about = json_get(v, "span_attributes");

	s->input = field_find(v, "input");
	s->output = field_find(v, "output");
	s->tool = json_get(about, "name");
	if (field_is_type(about, "llm")) {
		s->kind = SPAN_MODEL;
		s->model = field_find(v, "metadata.model");
		s->provider = field_find(v, "metadata.provider");
		read_usage(&s->usage, json_get(v, "metrics"));
		if (field_find(v, "output.embedding_length") != NULL) {
			otel_genai_set_embedding(s);
			s->kind = SPAN_OTHER;
		}
		return;
	}
	if (field_is_type(about, "tool"))
		s->kind = SPAN_TOOL;
	else if (!field_is_type(about, "task function eval score"))
		s->unknown = json_raw(json_get(about, "type"));
	s->args = s->input;
	s->result = s->output;
	s->is_error = builder_bool(s->error != NULL);
}

static void
add_row(struct log *log, const struct json *v)
{
	struct span *s = log_add_span(log, v);

	s->trace = json_raw(json_get(v, "root_span_id"));
	s->id = json_raw(json_get(v, "span_id"));
	s->parent = json_raw(json_at(json_get(v, "span_parents"), 0));
	s->start = otel_time(field_find(v, "metrics.start"), false);
	s->end = otel_time(field_find(v, "metrics.end"), false);
	s->error = field_find(v, "error");
	read_kind(s, v);
	if (field_is_type(json_get(v, "span_attributes"), "score"))
		s->data = s; /* the spans within judge the run */
	s = spans_done(log_spans(log), s, s->id);
	if (s->start == SPAN_NO_TIME)
		s->start = otel_time(field_find(v, "created"), false);
}

enum { DEPTH_MAX = 1000 }; /* limit on the depth of rows; a cycle ends there */

/* Returns whether a model or a tool judges the run, and is thus no part of the
 * run. */
static bool
is_judge(const struct spans *spans, const struct span *s)
{
	for (int depth = 0; s != NULL && depth < DEPTH_MAX; depth++) {
		if (s->data != NULL)
			return true;
		s = spans_get(spans, s->parent);
	}
	return false;
}

static void
end(struct log *log)
{
	struct spans *spans = log_spans(log);

	for (size_t i = 0; i < spans->n; i++) {
		struct span *s = spans->list[i];

		if (!is_judge(spans, s))
			continue;
		s->kind = SPAN_OTHER;
		s->usage = (struct usage){ 0 };
		s->tool = NULL;
	}
	log_end_spans(log);
}

static const struct log_row rows[] = {
	LOG_ROW(ROW, LOG_KEEP, .id = "root_span_id", .read = add_row),
	LOG_ROW("=[", LOG_EACH, .rows = rows, .apart = true),
	LOG_ROW("events=[ else, data=[ else, rows=[ else", LOG_EACH,
	    .of = "events data rows", .rows = rows, .apart = true),
	LOG_LAST,
};

const struct log_format log_format_braintrust = {
	.name = "braintrust",
	.what = "Braintrust: rows of logs and experiments",
	.shared_keys = "root_span_id",
	.sure = ROW,
	.nested = "0 events.0 data.0 rows.0",
	.lists = ". events data rows",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
