/*
 * OTLP JSON: a request for each run, with spans in OpenTelemetry's conventions
 * for generative AI. Each turn is a span invoke_agent, around a span chat for
 * the prompt and for each text, and a span execute_tool for each call; a
 * sub-agent's steps are in a span invoke_agent within the call's span.
 *
 * All spans begin at different times, so that readers that sort spans keep the
 * order. What the trace does not know and a span must have, the attribute
 * mcpl.hints takes back; extract/otel reads that attribute.
 */
#include <math.h>

#include "base/sha256.h"
#include "base/timestamp.h"
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/value/copy.h"
#include "trace/usage.h"

enum otlp_kind {
	OTLP_AGENT,
	OTLP_CHAT,
	OTLP_TOOL,
};

enum {
	APART = 1000,   /* nanoseconds between the starts of two spans */
	ID_DIGITS = 16, /* of a span */
	TRACE_DIGITS = 32,
};

#define NO_PARENT SIZE_MAX
#define NO_DATE INT64_C(100000000000000000) /* in 1973 */

struct otlp_span {
	enum otlp_kind kind;
	size_t parent;             /* index; NO_PARENT: none */
	int64_t start, end;        /* nanoseconds since 1970 */
	const struct json *prompt; /* of a chat; NULL: none */
	const struct json *text;   /* of a chat; NULL: none */
	const struct json *step;   /* of a tool */
	const struct json *id;     /* of a tool; NULL: none, or not unique */
	const struct usage *usage; /* of a chat; NULL: counted elsewhere */
	bool timed;                /* the start is known */
	bool ends;                 /* the end is known */
	bool fails;                /* the run failed here */
};

struct otlp {
	const struct export_run *run;
	struct arena *arena;
	struct out *out;
	struct str trace_id;
	struct otlp_span *spans;
	size_t n;
	struct hash_table ids; /* of the calls so far */
	int64_t now;           /* start of the last span */
	struct usage *carried; /* of turns that are left out */
};

/* ---- times ---- */

/* Returns the time in nanoseconds, or 0 if it is unknown or out of range. */
static int64_t
time_of(const struct json *ts)
{
	const int64_t most = INT64_C(9000000000000); /* ms: year 2255 */
	int64_t ms;

	return timestamp_text(json_raw(ts), &ms) && ms > 0 && ms < most
	    ? ms * 1000000
	    : 0;
}

/* Stores the duration in nanoseconds. Returns false if it is unknown. */
static bool
duration_of(const struct json *object, int64_t *ns)
{
	const struct json *v = json_get(object, "duration_ms");
	double ms = json_double(v);

	if (!json_is(v, JSON_NUMBER) || !(ms >= 0 && ms < 1e11))
		return false;
	*ns = llround(ms * 1e6);
	return true;
}

/* Returns the first time that the steps know, or 0. */
static int64_t
first_time(const struct json *steps)
{
	int64_t first = 0;

	for (json_each(step, steps)) {
		first = time_of(json_get(step, "ts"));
		if (first == 0)
			first = first_time(json_get(step, "steps"));
		if (first != 0)
			break;
	}
	return first;
}

/* Returns a time for the start of the run. If the run knows no time, that is a
 * time which all readers of spans take for nanoseconds. */
static int64_t
base_time(const struct trace *trace)
{
	int64_t base = time_of(trace->member[TRACE_TS_START]);

	for (json_each(turn, trace->member[TRACE_TURNS])) {
		if (base == 0)
			base = time_of(json_get(turn, "ts"));
		if (base == 0)
			base = first_time(json_get(turn, "steps"));
	}
	return base == 0 ? NO_DATE : base;
}

/* ---- the spans of a run ---- */

/* Adds a span that begins at the time, or after the span before. Returns its
 * index. */
static size_t
add(struct otlp *x, enum otlp_kind kind, size_t parent, const struct json *ts)
{
	int64_t start = time_of(ts);

	if (start < x->now + APART)
		start = x->now + APART;
	x->now = start;
	*arena_push(x->arena, x->spans, x->n) = (struct otlp_span){
		.kind = kind,
		.parent = parent,
		.start = start,
		.end = start,
		.timed = time_of(ts) != 0,
	};
	return x->n - 1;
}

static void
add_text(struct otlp *x, size_t parent, const struct json *text)
{
	size_t chat = add(x, OTLP_CHAT, parent, NULL);

	x->spans[chat].text = text;
}

/* Returns the call's id, or NULL if another call has the id: some logs use an
 * id again, by which a reader would take two calls for one. */
static const struct json *
new_id(struct otlp *x, const struct json *step)
{
	const struct json *id = json_get(step, "id");
	void **slot;

	if (json_raw(id).n == 0)
		return NULL;
	slot = hash_put(&x->ids, json_raw(id));
	if (*slot != NULL)
		return NULL;
	*slot = x;
	return id;
}

static void add_steps(struct otlp *, size_t parent, const struct json *steps);

static void
add_call(struct otlp *x, size_t parent, const struct json *step)
{
	const struct json *inner = json_get(step, "steps");
	size_t call = add(x, OTLP_TOOL, parent, json_get(step, "ts"));
	int64_t taken;

	x->spans[call].step = step;
	x->spans[call].ends = duration_of(step, &taken);
	if (x->spans[call].ends)
		x->spans[call].end = x->spans[call].start + taken;
	x->spans[call].id = new_id(x, step);
	if (json_first(inner) != NULL)
		add_steps(x, add(x, OTLP_AGENT, call, NULL), inner);
}

static void
add_steps(struct otlp *x, size_t parent, const struct json *steps)
{
	for (json_each(step, steps)) {
		if (json_get(step, "tool") != NULL)
			add_call(x, parent, step);
		else if (json_get(step, "text") != NULL)
			add_text(x, parent, json_get(step, "text"));
	}
}

/* Returns the usage of the turn and of the turns that were left out before
 * it. */
static const struct usage *
usage_with_carried(struct otlp *x, const struct json *turn)
{
	struct usage *u = arena_new(x->arena, struct usage);

	*u = usage_of(json_get(turn, "usage"));
	usage_add(u, x->carried);
	*x->carried = (struct usage){ 0 };
	return u;
}

/* Adds the spans of a turn. The first chat has the prompt, the usage of the
 * turn, and the text if the turn begins with a text. */
static void
add_turn(struct otlp *x, const struct json *turn)
{
	const struct json *steps = json_get(turn, "steps");
	size_t agent = add(x, OTLP_AGENT, NO_PARENT, json_get(turn, "ts"));
	size_t chat = add(x, OTLP_CHAT, agent, json_get(turn, "ts"));
	const struct json *first = json_first(steps);
	int64_t taken = 0;

	x->spans[chat].prompt = json_get(turn, "prompt");
	x->spans[chat].usage = usage_with_carried(x, turn);
	if (json_get(first, "tool") == NULL)
		x->spans[chat].text = json_get(first, "text");
	for (json_each(step, steps)) {
		if (json_get(step, "tool") != NULL)
			add_call(x, agent, step);
		else if (step != first && json_get(step, "text") != NULL)
			add_text(x, agent, json_get(step, "text"));
	}
	duration_of(turn, &taken);
	x->spans[agent].end += taken;
}

/* Adds the answer if it differs from the last text, to the last turn. */
static void
add_answer(struct otlp *x)
{
	const struct json *answer = x->run->trace.member[TRACE_FINAL_TEXT];
	const struct json *last = NULL;
	size_t agent = NO_PARENT;

	for (size_t i = 0; i < x->n; i++) {
		const struct otlp_span *s = &x->spans[i];

		if (s->kind == OTLP_AGENT && s->parent == NO_PARENT)
			agent = i;
		if (s->text != NULL && s->parent == agent)
			last = s->text;
	}
	if (json_raw(answer).n == 0 || json_equal(answer, last))
		return;
	if (agent == NO_PARENT)
		agent = add(x, OTLP_AGENT, NO_PARENT, NULL);
	add_text(x, agent, answer);
}

/* Makes the span of each agent end after the spans in it. A call ends as it was
 * recorded. */
static void
end_agents(struct otlp *x)
{
	for (size_t i = x->n; i-- != 0;) {
		const struct otlp_span *s = &x->spans[i];
		struct otlp_span *up;

		if (s->parent == NO_PARENT)
			continue;
		up = &x->spans[s->parent];
		if (s->end > up->end && (up->kind == OTLP_AGENT || !up->ends))
			up->end = s->end;
	}
}

static void
read_spans(struct otlp *x)
{
	const struct trace *trace = &x->run->trace;
	size_t last = NO_PARENT;

	x->now = base_time(trace) - APART;
	for (json_each(turn, trace->member[TRACE_TURNS])) {
		struct usage u = usage_of(json_get(turn, "usage"));

		if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
			usage_add(x->carried, &u);
		else
			add_turn(x, turn);
	}
	add_answer(x);
	if (x->n == 0)
		add(x, OTLP_AGENT, NO_PARENT, NULL);
	for (size_t i = 0; i < x->n; i++)
		if (x->spans[i].parent == NO_PARENT)
			last = i;
	x->spans[last].fails = trace->member[TRACE_ERROR] != NULL;
	end_agents(x);
}

/* ---- attributes ---- */

static void
begin_attribute(struct out *o, const char *key)
{
	out_begin(o, '{');
	out_member_str(o, "key", str_of(key));
	out_member_begin(o, "value", '{');
}

static void
end_attribute(struct out *o)
{
	out_end(o, '}');
	out_end(o, '}');
}

/* Writes an attribute, unless the text is empty. */
static void
put_text(struct out *o, const char *key, struct str text)
{
	if (text.n == 0)
		return;
	begin_attribute(o, key);
	out_member_str(o, "stringValue", text);
	end_attribute(o);
}

/* Writes a string, unless it is NULL or another value. */
static void
put_string(struct out *o, const char *key, const struct json *v)
{
	if (!json_is(v, JSON_STRING))
		return;
	begin_attribute(o, key);
	out_key(o, "stringValue");
	out_json_raw(o, v->text);
	end_attribute(o);
}

/* Writes a number. OTLP writes whole numbers as text. */
static void
put_number(struct out *o, const char *key, double n)
{
	begin_attribute(o, key);
	if (n == floor(n) && fabs(n) < 1e15)
		out_printf(o, "\"intValue\":\"%.0f\"", n);
	else
		out_member_double(o, "doubleValue", n);
	end_attribute(o);
}

/* Writes the hints that are not empty; the list ends with NULL. */
static void
put_hints(struct otlp *x, const char *const hints[])
{
	struct str all = { 0 };

	for (; *hints != NULL; hints++)
		if (**hints != '\0')
			all = str_printf(x->arena, "%.*s%s%s", STR_FMT(all),
			    all.n == 0 ? "" : " ", *hints);
	put_text(x->out, "mcpl.hints", all);
}

/* Writes an attribute whose value is JSON in a text. The memory is written and
 * closed. */
static void
put_memory(struct out *o, const char *key, struct out *memory)
{
	begin_attribute(o, key);
	out_member_str(o, "stringValue", out_memory(memory));
	end_attribute(o);
	out_close(memory);
}

static void
put_message(
    struct out *o, const char *key, const char *role, const struct json *text)
{
	struct out m;

	if (text == NULL)
		return;
	out_open_memory(&m);
	out_begin(&m, '[');
	out_begin(&m, '{');
	out_member_str(&m, "role", str_of(role));
	out_member_begin(&m, "parts", '[');
	out_begin(&m, '{');
	out_member_str(&m, "type", STR("text"));
	out_key(&m, "content");
	export_string(&m, text);
	out_end(&m, '}');
	out_end(&m, ']');
	if (str_is(str_of(role), "assistant"))
		out_member_str(&m, "finish_reason", STR("stop"));
	out_end(&m, '}');
	out_end(&m, ']');
	put_memory(o, key, &m);
}

/* Writes the counts. The input includes what was read from a cache or written
 * to it. */
static void
put_usage(struct out *o, const struct usage *u)
{
	static const struct {
		enum usage_kind kind;
		const char *key;
	} counts[] = {
		{ USAGE_OUTPUT, "gen_ai.usage.output_tokens" },
		{ USAGE_CACHE_READ, "gen_ai.usage.cache_read.input_tokens" },
		{ USAGE_CACHE_WRITE,
		    "gen_ai.usage.cache_creation.input_tokens" },
		{ USAGE_REASONING, "gen_ai.usage.reasoning.output_tokens" },
		{ USAGE_COST, "gen_ai.usage.cost" },
		{ USAGE_LLM_CALLS, "mcpl.llm_calls" },
	};

	if (u == NULL)
		return;
	if (u->known & 1U << USAGE_INPUT)
		put_number(o, "gen_ai.usage.input_tokens",
		    u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
			u->n[USAGE_CACHE_WRITE]);
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (u->known & 1U << counts[i].kind)
			put_number(o, counts[i].key, u->n[counts[i].kind]);
}

/* ---- a call ---- */

static void
put_args(struct out *o, const struct json *args)
{
	struct out text;

	if (args == NULL)
		return;
	if (!json_is(args, JSON_STRING)) {
		put_text(o, "gen_ai.tool.call.arguments", args->text);
		return;
	}
	out_open_memory(&text);
	export_text_args(&text, args);
	begin_attribute(o, "gen_ai.tool.call.arguments");
	out_key(o, "stringValue");
	out_json_raw(o, out_memory(&text));
	end_attribute(o);
	out_close(&text);
}

/* Writes a string as it is, lists and objects as JSON in a text, and other
 * values as the values of OTLP. */
static void
put_result(struct out *o, const struct json *v)
{
	const char *key = "gen_ai.tool.call.result";

	if (v == NULL)
		return;
	if (json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT) ||
	    json_is(v, JSON_NULL)) {
		put_text(o, key, v->text);
		return;
	}
	begin_attribute(o, key);
	out_key(o,
	    json_is(v, JSON_STRING)       ? "stringValue"
		: json_is(v, JSON_NUMBER) ? "doubleValue"
					  : "boolValue");
	out_json_raw(o, v->text);
	end_attribute(o);
}

/* Returns whether a reader would take the result, a string, for the list or
 * object that the string holds. */
static bool
looks_structured(const struct json *result, struct arena *a)
{
	const struct json *inner = json_is(result, JSON_STRING)
	    ? copy_parsed(a, json_text(result, a))
	    : NULL;

	return json_is(inner, JSON_ARRAY) || json_is(inner, JSON_OBJECT);
}

static void
put_tool(struct otlp *x, const struct otlp_span *s)
{
	const struct json *step = s->step, *tool = json_get(step, "tool");
	const struct json *name = json_get(step, "name");
	const struct json *result = json_get(step, "result");

	put_string(x->out, "gen_ai.tool.name", tool);
	put_string(x->out, "gen_ai.tool.call.id", s->id);
	put_string(x->out, "mcp.server.name", json_get(step, "server"));
	if (!json_equal(name, tool))
		put_string(x->out, "mcp.tool.name", name);
	put_args(x->out, json_get(step, "args"));
	put_result(x->out, result);
	put_hints(x,
	    (const char *[]){ s->timed ? "" : "no_time",
		s->ends ? "" : "no_end",
		json_has(step, "is_error") ? "" : "no_status",
		looks_structured(result, x->arena) ? "text_result" : "",
		NULL });
}

/* ---- a span ---- */

static void
put_chat(struct otlp *x, const struct otlp_span *s)
{
	const struct json *record = x->run->trace.record;

	put_string(
	    x->out, "gen_ai.provider.name", json_get(record, "provider"));
	put_string(x->out, "gen_ai.request.model", json_get(record, "model"));
	put_message(x->out, "gen_ai.input.messages", "user", s->prompt);
	put_message(x->out, "gen_ai.output.messages", "assistant", s->text);
	put_usage(x->out, s->usage);
	put_hints(x,
	    (const char *[]){ "no_call", s->prompt == NULL ? "" : "new_input",
		s->timed ? "" : "no_time", NULL });
}

/* Writes what is known of the run; a sub-agent's span has nothing of it. */
static void
put_agent(struct otlp *x, const struct otlp_span *s)
{
	const struct json *const *m = x->run->trace.member;

	if (!s->timed)
		put_text(x->out, "mcpl.hints", STR("no_time"));
	if (s->parent != NO_PARENT)
		return;
	put_string(x->out, "gen_ai.provider.name",
	    json_get(x->run->trace.record, "provider"));
	put_string(x->out, "gen_ai.agent.name", m[TRACE_AGENT]);
	put_string(x->out, "gen_ai.conversation.id", m[TRACE_ID]);
	put_string(x->out, "test.case.name", m[TRACE_SCENARIO_ID]);
}

static void
put_attributes(struct otlp *x, const struct otlp_span *s)
{
	static const struct {
		const char *operation;
		void (*put)(struct otlp *, const struct otlp_span *);
	} kinds[] = {
		[OTLP_AGENT] = { "invoke_agent", put_agent },
		[OTLP_CHAT] = { "chat", put_chat },
		[OTLP_TOOL] = { "execute_tool", put_tool },
	};

	out_member_begin(x->out, "attributes", '[');
	put_text(
	    x->out, "gen_ai.operation.name", str_of(kinds[s->kind].operation));
	kinds[s->kind].put(x, s);
	out_end(x->out, ']');
}

static void
put_status(struct otlp *x, const struct otlp_span *s)
{
	const struct json *is_error = json_get(s->step, "is_error");
	bool failed = s->fails || json_is(is_error, JSON_TRUE);

	if (!failed && !json_is(is_error, JSON_FALSE))
		return;
	out_member_begin(x->out, "status", '{');
	out_member_int(x->out, "code", failed ? 2 : 1);
	if (s->fails)
		out_member_str(
		    x->out, "message", trace_error(&x->run->trace, x->arena));
	out_end(x->out, '}');
}

static struct str
name_of(struct otlp *x, const struct otlp_span *s)
{
	const struct json *record = x->run->trace.record;
	const struct json *of = s->kind == OTLP_TOOL ? json_get(s->step, "tool")
	    : s->kind == OTLP_CHAT                   ? json_get(record, "model")
	    : s->parent == NO_PARENT                 ? json_get(record, "agent")
						     : NULL;
	const char *what = s->kind == OTLP_TOOL ? "execute_tool"
	    : s->kind == OTLP_CHAT              ? "chat"
						: "invoke_agent";
	struct str text = json_text(of, x->arena);

	return str_printf(
	    x->arena, "%s%s%.*s", what, text.n == 0 ? "" : " ", STR_FMT(text));
}

static void
put_id(struct otlp *x, const char *key, size_t index)
{
	struct str hash = sha256_hex(x->arena,
	    str_printf(x->arena, "%.*s/%zu", STR_FMT(x->trace_id), index));

	out_member_str(x->out, key, str_slice(hash, 0, ID_DIGITS));
}

static void
put_span(struct otlp *x, size_t i)
{
	const struct otlp_span *s = &x->spans[i];
	struct out *o = x->out;

	out_begin(o, '{');
	out_member_str(o, "traceId", x->trace_id);
	put_id(x, "spanId", i);
	if (s->parent != NO_PARENT)
		put_id(x, "parentSpanId", s->parent);
	out_member_str(o, "name", name_of(x, s));
	out_member_int(o, "kind", s->kind == OTLP_CHAT ? 3 : 1);
	out_member_str(o, "startTimeUnixNano", str_int(x->arena, s->start));
	out_member_str(o, "endTimeUnixNano", str_int(x->arena, s->end));
	put_attributes(x, s);
	put_status(x, s);
	out_end(o, '}');
}

/* ---- the request ---- */

/* Returns the run's id if it may be the id of a trace, else an id made of
 * it. */
static struct str
trace_id_of(const struct export_run *run)
{
	struct str id = json_text(run->trace.member[TRACE_ID], run->arena);
	size_t n = 0;

	while (n < id.n && json_is_hex(id.s[n]) &&
	    !(id.s[n] >= 'A' && id.s[n] <= 'F'))
		n++;
	if (n == id.n && n == TRACE_DIGITS)
		return id;
	return str_slice(sha256_hex(run->arena, id), 0, TRACE_DIGITS);
}

static void
put_resource(struct otlp *x)
{
	struct str agent =
	    json_text(x->run->trace.member[TRACE_AGENT], x->arena);

	out_member_begin(x->out, "resource", '{');
	out_member_begin(x->out, "attributes", '[');
	put_text(x->out, "service.name",
	    agent.n == 0 ? STR("unknown_service") : agent);
	out_end(x->out, ']');
	out_end(x->out, '}');
}

static void
write_run(struct out *o, const struct export_run *run)
{
	struct usage carried = { 0 };
	struct otlp x = { .run = run,
		.arena = run->arena,
		.out = o,
		.trace_id = trace_id_of(run),
		.ids.arena = run->arena,
		.carried = &carried };

	read_spans(&x);
	out_member_begin(o, "resourceSpans", '[');
	out_begin(o, '{');
	put_resource(&x);
	out_member_begin(o, "scopeSpans", '[');
	out_begin(o, '{');
	out_member_begin(o, "scope", '{');
	out_member_str(o, "name", STR("mcpl-extract"));
	out_end(o, '}');
	out_member_begin(o, "spans", '[');
	for (size_t i = 0; i < x.n; i++)
		put_span(&x, i);
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, ']');
}

const struct export export_otlp = {
	.name = "otlp", .write = write_run, .in_order = true
};
