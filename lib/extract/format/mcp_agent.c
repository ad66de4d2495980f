/*
 * Logs of mcp-agent and of fast-agent, which descends from it: one record a
 * line for each message to and from a model or a server. An answer is matched
 * to its call by order alone, and times have no zone.
 */
#include "base/hash.h"
#include "extract/api/anthropic_message.h"
#include "extract/api/gemini_content.h"
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/otel/otel.h"
#include "extract/span/span.h"
#include "extract/span/spans.h"

#include <stdlib.h>

/* ---- calls of tools ---- */

/*
 * A call is logged twice, in either order and without ids: when the agent asks
 * for it, and when the request is sent. The call that was sent first is
 * answered first.
 */
struct pending_call;

struct queue {
	struct pending_call *first, *last;
};

struct pending_calls {
	struct arena *arena;
	struct hash_table tools; /* by their name */
	struct queue sent;
};

enum { HALVES, ANSWERS };

struct pending_call {
	struct pending_call *next[2]; /* in queues of halves, and of answers */
	struct span *span;
};

/* Calls of one tool of which only one half was logged yet. */
struct tool {
	struct queue asked, sent;
};

static void
calls_init(struct pending_calls *calls, struct arena *a)
{
	*calls = (struct pending_calls){ .arena = a, .tools.arena = a };
}

static void
push(struct queue *q, struct pending_call *c, int which)
{
	if (q->last == NULL)
		q->first = c;
	else
		q->last->next[which] = c;
	q->last = c;
}

/* Removes the first call from the queue and returns it, or NULL. */
static struct pending_call *
pop(struct queue *q, int which)
{
	struct pending_call *c = q->first;

	if (c == NULL)
		return NULL;
	q->first = c->next[which];
	if (q->first == NULL)
		q->last = NULL;
	return c;
}

static struct tool *
tool_of(struct pending_calls *calls, const struct json *name)
{
	void **slot = hash_put(&calls->tools, json_raw(name));

	if (*slot == NULL)
		*slot = arena_new(calls->arena, struct tool);
	return *slot;
}

/* Returns the place of the span of the call of which one half (sent or asked
 * for) is logged now; it holds NULL if the other half was not logged before. */
static struct span **
calls_half(struct pending_calls *calls, const struct json *name, bool sent)
{
	struct tool *t = tool_of(calls, name);
	struct pending_call *c = pop(sent ? &t->asked : &t->sent, HALVES);

	if (c == NULL) {
		c = arena_new(calls->arena, struct pending_call);
		push(sent ? &t->sent : &t->asked, c, HALVES);
	}
	if (sent)
		push(&calls->sent, c, ANSWERS);
	return &c->span;
}

/* Returns the span of the call that is answered now; NULL: no call waits. */
static struct span *
calls_answered(struct pending_calls *calls)
{
	struct pending_call *c = pop(&calls->sent, ANSWERS);

	return c == NULL ? NULL : c->span;
}

/* ---- requests to models ---- */

/* The conversation of the program with one model. */
struct exchange {
	struct span *open; /* span without an answer yet; NULL: none */
	/* Number of answers with calls since the last answer without. */
	size_t calls;
};

static bool
has_part(const struct chat_message *m, enum chat_kind kind)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->parts[i].kind == kind)
			return true;
	return false;
}

/* Returns the number of messages that the model was given: the list is logged
 * late, when answers of the same turn may be in it already. */
static size_t
count_given(const struct chat *d, size_t answers)
{
	size_t asked = d->n, i;

	while (asked != 0 &&
	    (d->list[asked - 1].role != CHAT_USER ||
		has_part(&d->list[asked - 1], CHAT_RESULT)))
		asked--;
	for (i = asked; i < d->n; i++)
		if (d->list[i].role == CHAT_MODEL && answers-- == 0)
			break;
	return i;
}

/* Returns the messages that the model was given, without those that the logger
 * wrote as Python text because they were nested too deeply. */
static const struct json *
input_of(struct arena *a, const struct json *list, size_t answers)
{
	struct str *texts = arena_new_n(a, struct str, json_count(list) + 1);
	const struct json *objects;
	struct chat d;
	size_t n = 0, most;

	for (json_each(m, list))
		if (json_is(m, JSON_OBJECT))
			texts[n++] = m->text;
	objects = copy_parsed(a,
	    str_printf(a, "[%.*s]", STR_FMT(str_join(a, texts, n, STR(",")))));
	d = chat_read(a, objects, CHAT_USER);
	most = count_given(&d, answers);
	if (d.n != n || most == n)
		return objects;
	return copy_parsed(a,
	    str_printf(
		a, "[%.*s]", STR_FMT(str_join(a, texts, most, STR(",")))));
}

static void
read_counts(struct usage *u, const struct json *data)
{
	const struct json *counts = field_find(data, "usage usage_metadata");

	if (json_get(data, "choices") != NULL)
		openai_usage_read(u, counts);
	else if (json_get(data, "candidates") != NULL)
		gemini_usage_read(u, counts);
	else
		anthropic_usage_read(u, counts);
}

/* Returns whether v is a model's response. */
static bool
is_response(const struct json *v)
{
	return field_find(v, "choices candidates content") != NULL;
}

/* Fills a span, which begins here, from a request to a model. */
static void
fill_request(struct exchange *exchange, struct arena *a, struct span *span,
    const struct json *request)
{
	span->model = json_get(request, "model");
	span->input = input_of(
	    a, field_find(request, "contents messages input"), exchange->calls);
	exchange->open = span;
}

/* Fills a span, the open one or one of its own, from a model's response. */
static void
fill_response(struct exchange *exchange, struct arena *a, struct span *span,
    const struct json *response)
{
	struct chat d = chat_read(a, response, CHAT_MODEL);

	exchange->open = NULL;
	exchange->calls = d.n != 0 && has_part(&d.list[0], CHAT_CALL)
	    ? exchange->calls + 1
	    : 0;
	span->output = response;
	if (span->model == NULL)
		span->model = field_find(response, "model model_version");
	read_counts(&span->usage, response);
}

/* ---- records ---- */

/* A record that matters. The file does not have records in the order of
 * time. */
struct record {
	const struct json *v;
	int64_t time;
	size_t line;
};

struct session {
	struct str trace;            /* body: id of the program's run */
	struct hash_table exchanges; /* by the namespace */
	struct pending_calls calls;
	void *spans;
	struct record *records;
	size_t n, line; /* line of the current record */
};

/* ---- spans ---- */

static struct session *
session_of(struct log *log)
{
	struct session *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->exchanges.arena = log->arena;
		calls_init(&s->calls, log->arena);
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

static struct exchange *
exchange_of(struct log *log, const struct json *r)
{
	void **slot = hash_put(
	    &session_of(log)->exchanges, json_raw(json_get(r, "namespace")));

	if (*slot == NULL)
		*slot = arena_new(log->arena, struct exchange);
	return *slot;
}

static void
read_request(struct log *log, const struct json *r, const struct json *data)
{
	fill_request(
	    exchange_of(log, r), log->arena, begin(log, SPAN_MODEL, r), data);
}

static void
read_response(struct log *log, const struct json *r, const struct json *data)
{
	struct exchange *exchange = exchange_of(log, r);
	struct span *span = exchange->open;

	if (!is_response(data))
		return;
	if (span == NULL)
		span = begin(log, SPAN_MODEL, r);
	end_span(span, r);
	fill_response(exchange, log->arena, span, data);
}

static void
read_failure(struct log *log, const struct json *r, const struct json *data)
{
	struct exchange *exchange = exchange_of(log, r);

	if (exchange->open != NULL) {
		end_span(exchange->open, r);
		exchange->open->error = json_get(r, "message");
	}
	*exchange = (struct exchange){ 0 };
	(void)data;
}

/* ---- tools ---- */

/* Returns the span of the call of which this record is one half. */
static struct span *
half_call(
    struct log *log, const struct json *name, const struct json *r, bool sent)
{
	struct span **span = calls_half(&session_of(log)->calls, name, sent);

	if (*span == NULL) {
		*span = begin(log, SPAN_TOOL, r);
		(*span)->tool = name;
	}
	return *span;
}

static void
read_call_request(
    struct log *log, const struct json *r, const struct json *data)
{
	struct span *span =
	    half_call(log, json_get(data, "tool_name"), r, false);

	span->server = json_get(data, "server_name");
}

static void
read_sent(struct log *log, const struct json *r, const struct json *data)
{
	const struct json *params = json_get(data, "params");

	if (field_is(data, "method", "tools/call"))
		half_call(log, json_get(params, "name"), r, true)->args =
		    field_find(params, "arguments");
}

static void
read_answer(struct log *log, const struct json *r, const struct json *data)
{
	struct span *span;

	if (!json_is(json_get(data, "content"), JSON_ARRAY))
		return;
	span = calls_answered(&session_of(log)->calls);
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
	s->exchanges = (struct hash_table){ .arena = log->arena };
	calls_init(&s->calls, log->arena);
}

/* The kinds of records, by their message. */
static const struct {
	const char *message;
	/* The message is longer at its end, or at its begin. */
	bool begins, ends;
	void (*read)(
	    struct log *, const struct json *r, const struct json *data);
} kinds[] = {
	{ "MCPApp initialized", .read = read_start },
	{ "MCPAgent initialized", .read = read_start },
	{ "Requesting tool call", .read = read_call_request },
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
	struct str message = json_raw(json_get(r, "message"));
	size_t i;

	for (i = 0; i < KINDS; i++) {
		struct str words = str_of(kinds[i].message);

		if (kinds[i].ends         ? str_ends(message, words)
			: kinds[i].begins ? str_starts(message, words)
					  : str_eq(message, words))
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
	else if (unread_lost(r) != 0)
		log_unread(log, r);
}

/* Other records tell of the program's own doings. */
static const struct log_row rows[] = {
	LOG_ROW("namespace message", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

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
	spans_emit(spans_in(log->arena, &s->spans), log->builder, log->text);
}

const struct log_format log_format_mcp_agent = {
	.name = "mcp-agent",
	.what = "mcp-agent, fast-agent: JSONL log files",
	.sure = "namespace=mcp_agent.*|fast_agent.* level timestamp message",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
