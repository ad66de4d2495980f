/*
 * Spans that mcp-eval keeps of a test (NAME_trace.jsonl), as mcp-agent's
 * OpenTelemetry exporter writes them, one a line. The file is one run. Calls,
 * iterations and times are counted as mcp-eval's own metrics count them.
 */
#include "emulate/lang/py.h"
#include "extract/format/log_rows.h"
#include "extract/otel/genai.h"
#include "extract/otel/span.h"
#include "extract/value/copy.h"
#include "extract/value/unflatten.h"
#include "json/json.h"

#include <math.h>

/* ---- what mcp-eval's own reader accepts ---- */

/* Returns whether mcp-eval accepts v as a time: text must be RFC 3339 in UTC
 * (Z) or a number; any other value counts as 0. */
static bool
is_time(struct arena *a, const struct json *v)
{
	struct str text = json_text(v, a);
	double number;

	if (!json_is(v, JSON_STRING) ||
	    (str_contains(text, "T") && str_ends(text, "Z")))
		return true;
	return py_float_text(text, &number, a) && isfinite(number);
}

/* Returns the number of the iteration that an event belongs to, from 0, or
 * NULL. */
static const struct json *
turn_of(const struct json *event)
{
	return json_get(
	    json_get(event, "attributes"), "completion.response.turn");
}

static const char *
events_refusal(const struct json *events)
{
	int64_t number;

	if (json_is(events, JSON_NULL))
		return "a span's events are null";
	for (json_each(event, events)) {
		const struct json *turn = turn_of(event);

		if (json_is(json_get(event, "attributes"), JSON_NULL))
			return "an event's attributes are null";
		if (turn != NULL && !json_int(turn, &number))
			return "an event's completion.response.turn is no "
			       "integer";
	}
	return NULL;
}

static bool
is_jaeger(const struct json *r)
{
	return json_get(r, "name") == NULL;
}

/* Returns why mcp-eval ends the test of a file with this record as an error, or
 * NULL if mcp-eval reads the record. */
static const char *
record_refusal(struct arena *a, const struct json *r)
{
	bool jaeger = is_jaeger(r);
	const struct json *attributes =
	    json_get(r, jaeger ? STR("tags") : STR("attributes"));

	if (!json_is(r, JSON_OBJECT))
		return "a line is no object";
	if (attributes != NULL && !json_is(attributes, JSON_OBJECT))
		return "a span's attributes are no object";
	if (!is_time(a,
		json_get(r, jaeger ? STR("startTime") : STR("start_time"))) ||
	    !is_time(a, json_get(r, "end_time")))
		return "a span's time is neither UTC (Z) nor a number";
	return events_refusal(
	    json_get(r, jaeger ? STR("logs") : STR("events")));
}

/* ---- files ---- */

struct file {
	struct spans spans;
	int64_t last_turn; /* the highest iteration of an event; -1: none */
	size_t models; /* number of spans that mcp-eval takes for a model's */
	/* The reason why mcp-eval rejects the file; NULL: there is none. */
	const char *refused;
	const struct json *final; /* the agent's last answer */
};

static const struct json *
name_of(const struct json *v)
{
	return field_find(v, "name operationName");
}

/* Names of spans of mcp-agent. */
#define OF_AGENT "MCPAggregator.*|MCPAgentClientSession.*|*AugmentedLLM.*"

/* Returns the score of a record by its service, whose key has a dot. */
static int
score(const struct json *r)
{
	const struct json *of = field_find(r, "resource.attributes");

	return name_of(r) != NULL &&
		field_is(of, "service.name", "mcp-agent mcp-eval")
	    ? LOG_FORMAT_SURE
	    : 0;
}

static struct file *
file_of(struct log *log)
{
	struct file *f = log->state;

	if (f == NULL) {
		log->state = f = arena_new(log->arena, struct file);
		f->last_turn = -1;
		f->spans.arena = log->arena;
		f->spans.options = (struct span_options){
			.one_run = true, .as_given = true, .counted = true
		};
	}
	return f;
}

/* ---- calls ---- */

/* Splits the name SERVER_TOOL into the span's server and tool; the server may
 * be known already. */
static void
split_name(struct arena *a, struct span *s, struct str name)
{
	struct str server = json_raw(s->server);
	size_t end = str_find_char(name, '_');

	if (server.n != 0 && name.n > server.n + 1 &&
	    str_starts(name, server) && name.s[server.n] == '_')
		end = server.n;
	else if (server.n == 0 && end != name.n)
		s->server = copy_string(a, str_slice(name, 0, end));
	s->tool = copy_string(a, end < name.n ? str_from(name, end + 1) : name);
}

static void
read_call(struct arena *a, struct span *s, const struct json *attributes)
{
	const struct json *name = otel_find(attributes, "gen_ai.tool.name");

	s->server = otel_find(attributes, "parsed_server_name");
	s->tool = otel_find(attributes, "parsed_tool_name");
	if (json_raw(s->tool).n == 0)
		s->tool = otel_find(attributes, "mcp.tool.name");
	if (json_raw(s->tool).n == 0)
		split_name(a, s, json_raw(name));
	s->args = unflatten(a, attributes, STR("arguments"));
	s->result = unflatten(a, attributes, STR("result"));
	if (s->args == NULL)
		s->args = copy_parsed(a, STR("{}"));
	if (s->result == NULL)
		s->result = copy_parsed(a, STR("{}"));
	s->is_error = otel_find(attributes, "result.isError");
	if (!json_is(s->is_error, JSON_TRUE))
		s->is_error = builder_bool(false);
}

/* ---- spans ---- */

static bool
is_model(
    struct arena *a, const struct json *name, const struct json *attributes)
{
	char *lower = str_c(a, json_raw(name));

	for (char *c = lower; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	return otel_find(attributes, "gen_ai.system") != NULL ||
	    str_contains(str_of(lower), "llm") ||
	    str_contains(str_of(lower), "generate");
}

/* Sets the span's kind. mcp-agent writes several spans for one thing: only one
 * of them counts. */
static void
read_kind(
    struct span *s, const struct json *name, const struct json *attributes)
{
	struct str n = json_raw(name);

	if (str_is(n, "MCPAggregator.call_tool") &&
	    otel_find(attributes, "gen_ai.tool.name parsed_tool_name") != NULL)
		s->kind = SPAN_TOOL;
	else if (str_ends(n, ".generate_str") &&
	    str_contains(n, "AugmentedLLM."))
		s->kind = SPAN_AGENT;
	else if (str_ends(n, ".generate") && str_contains(n, "AugmentedLLM."))
		s->kind = SPAN_MODEL;
	else if (s->kind == SPAN_TOOL || log_rows_holds("=" OF_AGENT, name))
		s->kind = SPAN_OTHER;
}

/* Sets the end of a span without a name, which is in Jaeger's form, but with a
 * duration in nanoseconds. */
static void
read_jaeger_end(struct span *s, const struct json *r)
{
	int64_t duration;

	if (json_get(r, "name") == NULL && s->start != SPAN_NO_TIME &&
	    json_int(json_get(r, "duration"), &duration) &&
	    __builtin_add_overflow(s->start, duration, &s->end))
		s->end = SPAN_NO_TIME;
}

static void
read_span(struct log *log, struct file *f, const struct json *r)
{
	struct place at = log_place(log, r);
	struct span *s = spans_add(&f->spans, at.file, at.line);
	struct arena *a = log->arena;
	const struct json *v = copy_tree(a, r);
	const struct json *attributes = otel_attributes(a, v);
	struct lookup span = lookup_of(v);
	struct lookup of_span = lookup_of(attributes);

	otel_span_place(a, s, &span, &of_span, true);
	s->error = NULL;
	read_jaeger_end(s, v);
	otel_genai_read(a, s, v, &of_span, lookup_get(&span, "events"));
	read_kind(s, name_of(v), attributes);
	if (s->kind == SPAN_TOOL)
		read_call(a, s, attributes);
	if (s->kind == SPAN_AGENT) {
		s->input = otel_find(attributes, "message.content message");
		s->output = otel_find(attributes, "response");
		f->final = s->output;
	}
	f->models += is_model(a, name_of(v), attributes);
	for (json_each(event, field_find(v, "events logs"))) {
		int64_t turn;

		if (json_int(turn_of(event), &turn) && turn > f->last_turn)
			f->last_turn = turn;
	}
}

static void
read_record(struct log *log, const struct json *r)
{
	struct file *f = file_of(log);
	const char *why = record_refusal(log->arena, r);

	if (why != NULL && f->refused == NULL)
		f->refused = why;
	if (json_is(r, JSON_OBJECT))
		read_span(log, f, r);
}

/* Takes the test's name from the file's name, which has it except for
 * characters that a file name cannot hold. */
static void
read_path(struct log *log)
{
	struct str name = str_of(log->path), end = STR("_trace.jsonl");

	while (str_find_char(name, '/') != name.n)
		str_cut(&name, '/');
	if (name.n <= end.n || !str_ends(name, end))
		return;
	builder_set_body(log->builder, RUN_SCENARIO,
	    copy_escaped(log->arena, str_slice(name, 0, name.n - end.n)));
}

static void
end(struct log *log)
{
	struct file *f = log->state;
	struct usage u = { 0 };

	if (f == NULL)
		return;
	spans_emit(&f->spans, log->builder, log->text);
	read_path(log);
	if (json_is(f->final, JSON_STRING))
		builder_set(log->builder, RUN_FINAL, f->final);
	usage_set(&u, USAGE_LLM_CALLS,
	    f->last_turn >= 0    ? (double)f->last_turn + 1
		: f->models != 0 ? (double)f->models
				 : 1);
	builder_usage_uncounted(log->builder, &u);
	if (f->refused != NULL)
		builder_error(log->builder,
		    copy_string(log->arena,
			str_printf(log->arena,
			    "mcp-eval cannot read these spans: %s",
			    f->refused)));
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK), /* a span, or what mcp-eval refuses */
	LOG_LAST,
};

const struct log_format log_format_mcp_eval = {
	.name = "mcp-eval",
	.what = "mcp-eval: spans of a test (NAME_trace.jsonl)",
	.sure = "name|operationName=" OF_AGENT,
	.score = score,
	.asked = "name, operationName",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.read = read_record,
	.knows_blocks = true, /* spans report calls at the end */
	.end = end,
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
