/*
 * The loggers of mcp-agent and of fast-agent, which grew from it: what was
 * sent to a model and to a server, and what came back, a record each. They say
 * neither which answer belongs to which call but by their order, nor the zone
 * of their times.
 */
#include <stdlib.h>

#include "extract/format/format.h"
#include "extract/format/mcp_agent_calls.h"
#include "extract/format/mcp_agent_model.h"
#include "extract/otel/otel.h"
#include "extract/span/spans.h"

/* A record that says something; the file does not have them in their order. */
struct record {
	const struct json *v;
	int64_t time;
	size_t line;
};

struct session {
	struct str trace;        /* body: id of the program's run */
	struct hash_table talks; /* by the namespace */
	struct mcp_agent_calls calls;
	void *spans;
	struct record *records;
	size_t n, line; /* of the record that is told */
};

static int
score(const struct json *r)
{
	struct str space = json_raw(json_get(r, "namespace"));

	if (json_get(r, "level") == NULL || json_get(r, "timestamp") == NULL ||
	    json_get(r, "message") == NULL)
		return 0;
	return str_starts(space, "mcp_agent.") ||
		str_starts(space, "fast_agent.")
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- spans ---- */

static struct session *
session_of(struct log *log)
{
	struct session *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->talks.arena = log->arena;
		mcp_agent_calls_init(&s->calls, log->arena);
	}
	return s;
}

static struct span *
begin(struct log *log, enum span_kind kind, const struct json *r)
{
	struct session *s = session_of(log);
	struct span *span =
	    spans_add(spans_in(log->arena, &s->spans), log->path, s->line);

	span->kind = kind;
	span->trace = s->trace;
	span->start = otel_time(json_get(r, "timestamp"), false);
	span->end = SPAN_NO_TIME;
	return span;
}

static void
end_span(struct span *span, const struct json *r)
{
	span->end = otel_time(json_get(r, "timestamp"), false);
}

/* ---- models ---- */

static struct mcp_agent_talk *
talk_of(struct log *log, const struct json *r)
{
	void **slot = hash_put(
	    &session_of(log)->talks, json_raw(json_get(r, "namespace")));

	if (*slot == NULL)
		*slot = arena_new(log->arena, struct mcp_agent_talk);
	return *slot;
}

static void
read_request(struct log *log, const struct json *r, const struct json *data)
{
	mcp_agent_asks(
	    talk_of(log, r), log->arena, begin(log, SPAN_MODEL, r), data);
}

static void
read_response(struct log *log, const struct json *r, const struct json *data)
{
	struct mcp_agent_talk *talk = talk_of(log, r);
	struct span *span = talk->open;

	if (!mcp_agent_is_response(data))
		return;
	if (span == NULL)
		span = begin(log, SPAN_MODEL, r);
	end_span(span, r);
	mcp_agent_answers(talk, log->arena, span, data);
}

static void
read_failure(struct log *log, const struct json *r, const struct json *data)
{
	struct mcp_agent_talk *talk = talk_of(log, r);

	if (talk->open != NULL) {
		end_span(talk->open, r);
		talk->open->error = json_get(r, "message");
	}
	*talk = (struct mcp_agent_talk){ 0 };
	(void)data;
}

/* ---- tools ---- */

/* The span of the call that this record tells half of. */
static struct span *
half(struct log *log, const struct json *name, const struct json *r, bool sent)
{
	struct span **span =
	    mcp_agent_calls_half(&session_of(log)->calls, name, sent);

	if (*span == NULL) {
		*span = begin(log, SPAN_TOOL, r);
		(*span)->tool = name;
	}
	return *span;
}

static void
read_asked(struct log *log, const struct json *r, const struct json *data)
{
	struct span *span = half(log, json_get(data, "tool_name"), r, false);

	span->server = json_get(data, "server_name");
}

static void
read_sent(struct log *log, const struct json *r, const struct json *data)
{
	const struct json *params = json_get(data, "params");

	if (field_is(data, "method", "tools/call"))
		half(log, json_get(params, "name"), r, true)->args =
		    field_find(params, "arguments");
}

static void
read_answer(struct log *log, const struct json *r, const struct json *data)
{
	struct span *span;

	if (!json_is(json_get(data, "content"), JSON_ARRAY))
		return;
	span = mcp_agent_calls_answered(&session_of(log)->calls);
	if (span == NULL)
		return;
	end_span(span, r);
	span->result = data;
	span->is_error = json_get(data, "isError");
}

/* ---- records ---- */

static void
read_start(struct log *log, const struct json *r, const struct json *data)
{
	const struct json *id = json_get(data, "session_id");
	struct session *s = session_of(log);

	s->trace = json_raw(id != NULL ? id : json_get(r, "timestamp"));
	s->talks = (struct hash_table){ .arena = log->arena };
	mcp_agent_calls_init(&s->calls, log->arena);
}

/* What tells a record of the kind, by its message. */
static const struct {
	const char *message;
	bool begins, ends; /* the message is longer at its other end */
	void (*read)(
	    struct log *, const struct json *r, const struct json *data);
} kinds[] = {
	{ "MCPApp initialized", .read = read_start },
	{ "MCPAgent initialized", .read = read_start },
	{ "Requesting tool call", .read = read_asked },
	{ "send_request: request=", .read = read_sent },
	{ "send_request: response=", .read = read_answer },
	{ "Completion request arguments:", .read = read_request },
	{ " response:", .ends = true, .read = read_response },
	{ "Error: ", .begins = true, .read = read_failure },
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static size_t
kind_of(const struct json *r)
{
	struct str said = json_raw(json_get(r, "message"));
	size_t i;

	for (i = 0; i < KINDS; i++) {
		struct str words = str_of(kinds[i].message);

		if (kinds[i].ends         ? str_ends(said, words)
			: kinds[i].begins ? str_starts(said, words)
					  : str_eq(said, words))
			break;
	}
	return i;
}

static void
read_record(struct log *log, const struct json *r)
{
	struct session *s = session_of(log);

	if (kind_of(r) != KINDS)
		*arena_push(log->arena, s->records, s->n) = (struct record){
			.v = copy_tree(log->arena, r),
			.time = otel_time(json_get(r, "timestamp"), false),
			.line = log->at.line,
		};
}

static int
by_time(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void
end(struct log *log)
{
	struct session *s = session_of(log);

	if (s->n != 0)
		qsort(s->records, s->n, sizeof s->records[0], by_time);
	for (size_t i = 0; i < s->n; i++) {
		const struct json *r = s->records[i].v;

		s->line = s->records[i].line;
		kinds[kind_of(r)].read(log, r, json_path(r, "data.data"));
	}
	spans_emit(spans_in(log->arena, &s->spans), log->builder);
}

const struct log_format log_format_mcp_agent = {
	.name = "mcp-agent",
	.what = "Loggers of mcp-agent and fast-agent (JSONL)",
	.score = score,
	.read = read_record,
	.end = end,
};
