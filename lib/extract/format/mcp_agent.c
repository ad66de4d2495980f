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

/* ---- records ---- */

/* A record that matters. The file does not have records in the order of
 * time. */
struct record {
	const struct json *v;
	int64_t time;
	size_t line;
};

/*
 * A call is logged twice, in either order and without ids: when the agent asks
 * for it, and when the request is sent. The call that was sent first is
 * answered first.
 */
struct queue {
	struct span **list;
	size_t n, first;
};

/* Calls of one tool of which only one half was logged yet. */
struct tool {
	struct queue asked, sent;
};

struct session {
	struct str trace;            /* body: id of the program's run */
	struct hash_table exchanges; /* by the namespace */
	struct hash_table tools;     /* by their name */
	struct queue sent;           /* calls without an answer yet */
	void *spans;
	struct record *records;
	size_t n, line; /* line of the current record */
};

static struct session *
session_of(struct log *log)
{
	struct session *s = log->state;

	if (s == NULL) {
		log->state = s = arena_new(log->arena, struct session);
		s->exchanges.arena = s->tools.arena = log->arena;
	}
	return s;
}

/* ---- spans ---- */

static struct span *
begin(struct log *log, enum span_kind kind, const struct json *r)
{
	struct session *s = log->state;
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
	struct session *s = log->state;
	void **slot =
	    hash_put(&s->exchanges, json_raw(json_get(r, "namespace")));

	if (*slot == NULL)
		*slot = arena_new(log->arena, struct exchange);
	return *slot;
}

static void
read_request(struct log *log, const struct json *r, const struct json *data)
{
	struct exchange *exchange = exchange_of(log, r);
	struct span *span = exchange->open = begin(log, SPAN_MODEL, r);

	span->model = json_get(data, "model");
	span->input = input_of(log->arena,
	    field_find(data, "contents messages input"), exchange->calls);
}

/* Reads a model's response to the open request, or to one that is not logged. */
static void
read_response(struct log *log, const struct json *r, const struct json *data)
{
	struct exchange *exchange = exchange_of(log, r);
	struct span *span = exchange->open;
	struct chat d;

	if (field_find(data, "choices candidates content") == NULL)
		return;
	if (span == NULL)
		span = begin(log, SPAN_MODEL, r);
	end_span(span, r);
	d = chat_read(log->arena, data, CHAT_MODEL);
	exchange->open = NULL;
	exchange->calls = d.n != 0 && has_part(&d.list[0], CHAT_CALL)
	    ? exchange->calls + 1
	    : 0;
	span->output = data;
	if (span->model == NULL)
		span->model = field_find(data, "model model_version");
	read_counts(&span->usage, data);
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

static void
push(struct log *log, struct queue *q, struct span *call)
{
	*arena_push(log->arena, q->list, q->n) = call;
}

/* Removes the first call from the queue and returns it, or NULL. */
static struct span *
pop(struct queue *q)
{
	return q->first == q->n ? NULL : q->list[q->first++];
}

/* Returns the span of the call of which this record is one half: the request that
 * was sent, or what the agent asked for. */
static struct span *
half_call(
    struct log *log, const struct json *name, const struct json *r, bool sent)
{
	struct session *s = log->state;
	void **slot = hash_put(&s->tools, json_raw(name));
	struct tool *tool = *slot != NULL
	    ? *slot
	    : (*slot = arena_new(log->arena, struct tool));
	struct span *span = pop(sent ? &tool->asked : &tool->sent);

	if (span == NULL) {
		span = begin(log, SPAN_TOOL, r);
		span->tool = name;
		push(log, sent ? &tool->sent : &tool->asked, span);
	}
	if (sent)
		push(log, &s->sent, span);
	return span;
}

static void
read_asked(struct log *log, const struct json *r, const struct json *data)
{
	half_call(log, json_get(data, "tool_name"), r, false)->server =
	    json_get(data, "server_name");
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
	struct session *s = log->state;
	struct span *span = json_is(json_get(data, "content"), JSON_ARRAY)
	    ? pop(&s->sent)
	    : NULL;

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
	struct session *s = log->state;

	s->trace = json_raw(id != NULL ? id : json_get(r, "timestamp"));
	s->exchanges = s->tools = (struct hash_table){ .arena = log->arena };
	s->sent = (struct queue){ 0 };
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
	struct str message = json_raw(json_get(r, "message"));
	size_t i = 0;

	while (i < KINDS &&
	    !(kinds[i].ends           ? str_ends(message, kinds[i].message)
		    : kinds[i].begins ? str_starts(message, kinds[i].message)
				      : str_is(message, kinds[i].message)))
		i++;
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
