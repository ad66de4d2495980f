/*
 * Traces exported from Langfuse: a trace with its observations, which are
 * spans; or observations alone, one a line, in a list, or in a page of its API; or the
 * batches that its SDKs send, of traces and observations as they begin and change.
 * Members are spelled as in JavaScript or as in Langfuse's tables.
 */
#include "extract/format/span_log.h"
#include "extract/otel/genai.h"
#include "extract/otel/otel.h"
#include "extract/value/copy.h"
#include "extract/value/tool_name.h"

/* The types of observations. */
#define KINDS \
	"GENERATION|SPAN|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|" \
	"EMBEDDING|GUARDRAIL"

/* The types of the events of a batch, besides a trace's. */
#define EVENTS \
	"generation-create|generation-update|span-create|span-update|" \
	"event-create|observation-create|observation-update"

/* ---- an observation ---- */

/* Members of an observation. The first ones have two spellings: JavaScript's
 * and that of the tables. */
enum {
	START,
	END,
	PARENT,
	MODEL_PROVIDED,
	USAGE,
	COST_DETAILS,
	COST,
	SESSION,
	PAIRS
};
enum {
	ID = 2 * PAIRS,
	TYPE,
	NAME,
	LEVEL,
	INPUT,
	OUTPUT,
	MODEL,
	METADATA,
	USAGE_OLDER,
	COST_OLDER,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[START] = STR_CONST("startTime"),
	[END] = STR_CONST("endTime"),
	[PARENT] = STR_CONST("parentObservationId"),
	[MODEL_PROVIDED] = STR_CONST("providedModelName"),
	[USAGE] = STR_CONST("usageDetails"),
	[COST_DETAILS] = STR_CONST("costDetails"),
	[COST] = STR_CONST("totalCost"),
	[SESSION] = STR_CONST("sessionId"),
	[PAIRS + START] = STR_CONST("start_time"),
	[PAIRS + END] = STR_CONST("end_time"),
	[PAIRS + PARENT] = STR_CONST("parent_observation_id"),
	[PAIRS + MODEL_PROVIDED] = STR_CONST("provided_model_name"),
	[PAIRS + USAGE] = STR_CONST("usage_details"),
	[PAIRS + COST_DETAILS] = STR_CONST("cost_details"),
	[PAIRS + COST] = STR_CONST("total_cost"),
	[PAIRS + SESSION] = STR_CONST("session_id"),
	[ID] = STR_CONST("id"),
	[TYPE] = STR_CONST("type"),
	[NAME] = STR_CONST("name"),
	[LEVEL] = STR_CONST("level"),
	[INPUT] = STR_CONST("input"),
	[OUTPUT] = STR_CONST("output"),
	[MODEL] = STR_CONST("model"),
	[METADATA] = STR_CONST("metadata"),
	[USAGE_OLDER] = STR_CONST("usage"),
	[COST_OLDER] = STR_CONST("calculatedTotalCost"),
};

/* Returns the first value that is not null, or NULL. */
static const struct json *
either(const struct json *first, const struct json *second)
{
	if (first != NULL && !json_is(first, JSON_NULL))
		return first;
	return json_is(second, JSON_NULL) ? NULL : second;
}

/* Returns v, or NULL for the text that the Python SDK logs in place of
 * nothing. */
static const struct json *
but_none(const struct json *v)
{
	return json_str_is(v, "None") ? NULL : v;
}

/* Returns the string that v, as JSON text, holds; else v. The input and output
 * of a trace are JSON text even where they are plain strings. */
static const struct json *
plain(struct arena *a, const struct json *v)
{
	const struct json *inner = field_decode(a, v);

	return json_is(inner, JSON_STRING) ? inner : v;
}

/* Returns the members of LangChain's message of a tool; NULL if the output is
 * no such message. */
static const struct json *
message_of(struct arena *a, const struct json *output)
{
	const struct json *v, *message;

	if (output == NULL || !str_contains(output->text, STR("tool_call_id")))
		return NULL;
	v = chat_value(a, output);
	message = json_get(v, "kwargs");
	if (message == NULL)
		message = v;
	return json_get(message, "tool_call_id") != NULL ? message : NULL;
}

/* Reads a tool. If its output is a message of LangChain, the result is its
 * content, and the message names the call. */
static void
read_tool(struct arena *a, struct span *s, const struct json *v,
    const struct json *const *m)
{
	const struct json *message = message_of(a, m[OUTPUT]);

	if (m[NAME] != NULL && (s->tool == NULL || s->kind != SPAN_TOOL))
		s->tool = copy_string(a, tool_name_in_span(json_raw(m[NAME])));
	if (s->args == NULL)
		s->args = m[INPUT];
	if (s->result == NULL)
		s->result =
		    field_find(message == NULL ? v : message, "output content");
	if (s->call == NULL)
		s->call = json_get(message, "tool_call_id");
	if (field_is(message, "status", "error"))
		s->is_error = builder_bool(true);
}

static void
read_kind(struct span *s, const struct json *type)
{
	if (json_str_is(type, "GENERATION"))
		s->kind = SPAN_MODEL;
	else if (json_str_is(type, "TOOL"))
		s->kind = SPAN_TOOL;
	else if (json_str_is(type, "AGENT"))
		s->kind = SPAN_AGENT;
	else if (s->kind != SPAN_TOOL)
		s->kind = SPAN_OTHER;
}

static void
read_usage(struct arena *a, struct span *s, const struct json *const *m)
{
	const struct json *cost = either(m[COST], m[COST_OLDER]);

	s->usage = (struct usage){ 0 };
	otel_genai_langfuse(&s->usage,
	    chat_value(a, either(m[USAGE], m[USAGE_OLDER])),
	    either(cost, json_get(m[COST_DETAILS], "total")));
	if (json_str_is(m[TYPE], "EMBEDDING"))
		otel_genai_set_embedding(s);
}

/* Reads an observation; `type`, unless NULL, is its type. */
static void
read_observation(struct log *log, struct span *s, const struct json *v,
    const struct json *type)
{
	struct arena *a = log->arena;
	const struct json *m[MEMBERS], *metadata, *model;
	struct lookup attributes, of = lookup_of(v);

	for (int i = 0; i < MEMBERS; i++)
		m[i] = lookup_get(&of, members[i]);
	for (int i = 0; i < PAIRS; i++)
		if (m[i] == NULL)
			m[i] = m[PAIRS + i];
	if (type != NULL)
		m[TYPE] = type;
	metadata = chat_value(a, m[METADATA]);
	attributes = lookup_of(json_get(metadata, "attributes"));
	otel_genai_read(a, s, v, &attributes, NULL);
	read_kind(s, m[TYPE]);
	if (type == NULL && !log_rows_holds("type=" KINDS, v))
		s->unknown = json_raw(m[TYPE]);
	s->id = json_raw(m[ID]);
	s->parent = json_raw(m[PARENT]);
	s->start = otel_time(m[START], false);
	s->end = otel_time(m[END], false);
	s->conversation = m[SESSION];
	s->input = m[INPUT];
	s->output = but_none(m[OUTPUT]);
	model = either(m[MODEL], m[MODEL_PROVIDED]);
	if (json_is(model, JSON_STRING))
		s->model = model;
	read_usage(a, s, m);
	if (s->kind == SPAN_AGENT && s->agent == NULL)
		s->agent = m[NAME];
	s->is_error = builder_bool(json_str_is(m[LEVEL], "ERROR"));
	if (json_str_is(m[LEVEL], "ERROR"))
		s->error = either(
		    field_find(v, "statusMessage status_message"), m[NAME]);
	if (s->kind == SPAN_TOOL || s->kind == SPAN_OTHER)
		read_tool(a, s, v, m);
}

/* ---- a trace ---- */

/* Reads the trace itself, a span that contains all its observations. */
static void
read_trace(struct arena *a, struct span *s, const struct json *r)
{
	const struct json *of = json_get(r, "trace");

	if (!json_is(of, JSON_OBJECT))
		of = r;
	s->id = s->trace;
	s->start = otel_time(json_get(of, "timestamp"), false);
	s->input = plain(a, json_get(of, "input"));
	s->output = plain(a, but_none(json_get(of, "output")));
	s->conversation = field_find(of, "sessionId");
}

/* Completes the span with this id within its trace. An observation may be there
 * twice, when pages were read while more observations came, or as it began and as it
 * changed. */
static struct span *
add(struct log *log, struct span *s, struct str id)
{
	const struct str key[] = { s->trace, id };

	return spans_done(log->state, s, hash_key(log->arena, key, 2));
}

static void
add_observation(struct log *log, struct str trace, const struct json *v,
    const struct json *type)
{
	struct span *s = log_add_span(log, v);

	s->trace = trace;
	read_observation(log, s, v, type);
	if (s->id.n != 0)
		s = add(log, s, s->id);
	if (s->parent.n == 0 && !str_eq(s->id, trace))
		s->parent = trace;
}

static void
add_trace(struct log *log, const struct json *r)
{
	struct span *trace = log_add_span(log, r);

	trace->trace = json_raw(field_find(r, "trace.id id"));
	read_trace(log->arena, trace, r);
	trace = add(log, trace, (struct str){ 0 });
	for (json_each(v, field_find(r, "observations trace.observations")))
		add_observation(log, trace->trace, v, NULL);
}

static void
read_alone(struct log *log, const struct json *r)
{
	add_observation(
	    log, json_raw(field_find(r, "traceId trace_id")), r, NULL);
}

/* Reads an event of a batch, whose name has the type of most observations. */
static void
read_event(struct log *log, const struct json *event)
{
	const struct json *body = json_get(event, "body");
	struct str kind = json_raw(json_get(event, "type"));
	const struct json *type = str_starts(kind, "generation")
	    ? copy_string(log->arena, STR("GENERATION"))
	    : str_starts(kind, "observation")
	    ? NULL
	    : copy_string(log->arena, STR("SPAN"));

	add_observation(log, json_raw(json_get(body, "traceId")), body, type);
}

/* A trace, or an observation alone. A record of its own may also be a list of
 * these, or a page of the API. */
#define ONE \
	LOG_ROW("observations=[, trace.observations=[", LOG_KEEP, \
	    .id = "trace.id id", .read = add_trace), \
	    LOG_ROW("traceId startTime type else, " \
		    "trace_id start_time type else", \
		LOG_KEEP, .id = "traceId trace_id", .read = read_alone)

static const struct log_row list[] = {
	ONE,
	LOG_LAST,
};

static const struct log_row events[] = {
	LOG_ROW("type=trace-create body={", LOG_KEEP, .of = "body",
	    .id = "body.id", .read = add_trace),
	LOG_ROW("type=" EVENTS " body={", LOG_KEEP, .id = "body.traceId",
	    .read = read_event),
	LOG_ROW("type=score-create|sdk-log", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row rows[] = {
	ONE,
	LOG_ROW("batch=[", LOG_EACH, .of = "batch", .rows = events),
	LOG_ROW("=[", LOG_EACH, .rows = list),
	LOG_ROW("data=[ else", LOG_EACH, .of = "data", .rows = list),
	LOG_LAST,
};

const struct log_format log_format_langfuse = {
	.name = "langfuse",
	.what =
	    "Langfuse: exported traces or observations, batches of its SDKs",
	.shared_session = "id", /* of a trace */
	.shared_keys = "traceId trace_id",
	.sure = "traceId|trace_id startTime|start_time type=" KINDS ", "
		"observations.0.traceId|observations.0.trace_id "
		"observations.0.type, "
		"trace.observations.0.traceId|trace.observations.0.trace_id "
		"trace.observations.0.type, "
		"batch.0.type=trace-create|" EVENTS " batch.0.body={",
	.nested = "0 data.0",
	.lists = ". data",
	.rows = rows,
	.knows_blocks = true, /* spans report calls at the end */
	.end = log_end_spans,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
