/*
 * Traces of OpenAI's Agents SDK: the trace and its spans, one a line or in a
 * list, as the SDK sends them.
 */
#include "extract/api/openai_item.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/otel/otel.h"
#include "extract/span/spans.h"
#include "extract/value/copy.h"

struct traces {
	void *spans;
	const struct json *group; /* of the trace */
};

static void
read_tool(struct span *s, const struct json *data, const struct json *error)
{
	s->kind = SPAN_TOOL;
	s->tool = json_get(data, "name");
	s->server = field_find(data, "mcp_data.server");
	s->args = field_find(data, "input");
	s->result = field_find(data, "output");
	s->is_error = builder_bool(error != NULL);
}

static void
read_model(struct span *s, const struct json *data)
{
	const struct json *counts = field_find(data, "usage response.usage");
	const struct json *answer = json_at(json_get(data, "output"), 0);

	if (counts == NULL) /* a whole response of Chat Completions */
		counts = json_get(answer, "usage");
	s->kind = SPAN_MODEL;
	s->model = field_find(data, "model response.model");
	s->input = field_find(data, "input");
	s->output = field_find(data, "output response.output");
	openai_usage_read(&s->usage, counts);
	openai_item_usage(&s->usage, counts);
}

/* Reads a handoff as the call of a tool, with the SDK's default name:
 * transfer_to_ and the agent's name, in which "_" replaces all but letters and
 * digits. */
static void
read_handoff(struct log *log, struct span *s, const struct json *data)
{
	struct str agent = json_text(json_get(data, "to_agent"), log->arena);
	char *name =
	    str_c(log->arena, str_cat(log->arena, STR("transfer_to_"), agent));
	char *to = name;

	for (const char *c = name; *c != '\0'; c++) {
		if (*c >= 'A' && *c <= 'Z')
			*to++ = (char)(*c - 'A' + 'a');
		else if ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9'))
			*to++ = *c;
		/* The first byte of a character. */
		else if ((*c & 0xC0) != 0x80)
			*to++ = '_';
	}
	*to = '\0';
	s->tool = copy_string(log->arena, str_of(name));
}

static void
read_span(struct log *log, const struct json *v)
{
	struct traces *t = log->state;
	struct spans *spans = spans_in(log->arena, &t->spans);
	struct place at = log_place(log, v);
	struct span *s = spans_add(spans, at.file, at.line);
	const struct json *data = json_get(v, "span_data");
	const struct json *error = field_find(v, "error");

	s->id = json_raw(json_get(v, "id"));
	s->trace = json_raw(json_get(v, "trace_id"));
	s->parent = json_raw(json_get(v, "parent_id"));
	s->start = otel_time(json_get(v, "started_at"), false);
	s->end = otel_time(json_get(v, "ended_at"), false);
	s->error = error;
	s->conversation = t->group;
	if (field_is_type(data, "function"))
		read_tool(s, data, error);
	else if (field_is_type(data, "generation response"))
		read_model(s, data);
	else if (field_is_type(data, "agent")) {
		s->kind = SPAN_AGENT;
		s->agent = json_get(data, "name");
	} else if (field_is_type(data, "handoff")) {
		read_handoff(log, s, data);
		s->data = s; /* a handoff */
	} else if (!field_is_type(data,
		       "guardrail custom transcription speech speech_group "
		       "mcp_tools")) {
		s->unknown = json_raw(json_get(data, "type"));
	}
	/* A span is sent again if the upload got no answer. */
	(void)spans_done(spans, s, s->id);
}

/* Reads the trace itself, which precedes its spans. */
static void
read_trace(struct log *log, const struct json *r)
{
	struct traces *t = log->state;

	t->group = field_find(r, "group_id groupId");
}

static const struct log_row rows[] = {
	LOG_ROW("object=trace.span span_data={", LOG_KEEP, .id = "trace_id",
	    .read = read_span),
	LOG_ROW("object=trace", LOG_KEEP, .id = "id", .read = read_trace),
	LOG_ROW("=[", LOG_EACH, .rows = rows, .apart = true),
	LOG_ROW("data=[ !object", LOG_EACH, .of = "data", .rows = rows,
	    .apart = true),
	LOG_LAST,
};

/* If no model's answer is logged, handoffs are recorded by their spans
 * only. */
static void
end(struct log *log)
{
	struct traces *t = log->state;
	struct spans *spans = spans_in(log->arena, &t->spans);
	bool answered = false;

	for (size_t i = 0; i < spans->n; i++)
		answered |= spans->list[i]->output != NULL;
	for (size_t i = 0; i < spans->n && !answered; i++)
		if (spans->list[i]->data != NULL)
			spans->list[i]->kind = SPAN_TOOL;
	spans_emit(spans, log->builder, log->text);
}

const struct log_format log_format_openai_traces = {
	.name = "openai-traces",
	.what = "OpenAI Agents SDK: traces and spans as exported",
	.shared_session = "id", /* of a trace */
	.shared_keys = "trace_id",
	.sure = "object=trace.span span_data={, object=trace workflow_name, "
		"0.object=trace, data.0.object=trace",
	.nested = "0 data.0",
	.lists = ". data",
	.rows = rows,
	.state = sizeof(struct traces),
	.knows_blocks = true,
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
