/*
 * OTLP JSON: a request for each run, with spans in OpenTelemetry's conventions
 * for generative AI. Each turn is a span invoke_agent, around a span chat for
 * the prompt and for each text, and a span execute_tool for each call; a
 * sub-agent's steps are in a span invoke_agent within the call's span.
 *
 * What the trace does not know and a span must have, the attribute mcpl.hints
 * takes back; extract/otel reads that attribute.
 */
#include <math.h>

#include "base/sha256.h"
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/export/otlp_spans.h"
#include "extract/value/copy.h"

enum {
	ID_DIGITS = 16, /* of a span */
	TRACE_DIGITS = 32,
};

struct otlp {
	const struct export_run *run;
	struct arena *arena;
	struct out *out;
	struct str trace_id;
};

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
put_parts(struct out *o, const struct json *text)
{
	out_begin(o, '[');
	out_begin(o, '{');
	out_member_str(o, "type", STR("text"));
	export_member(o, "content", text);
	out_end(o, '}');
	out_end(o, ']');
}

static void
put_system(struct out *o, const struct json *system)
{
	struct out m;

	if (system == NULL)
		return;
	out_open_memory(&m);
	put_parts(&m, system);
	put_memory(o, "gen_ai.system_instructions", &m);
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
	out_key(&m, "parts");
	put_parts(&m, text);
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
		{ USAGE_CACHE_WRITE_1H, "mcpl.cache_write_1h_tokens" },
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

/* Writes what is known of the run; a sub-agent's span has only its name. */
static void
put_agent(struct otlp *x, const struct otlp_span *s)
{
	const struct json *const *m = x->run->trace.member;
	const struct json *first;

	if (!s->timed)
		put_text(x->out, "mcpl.hints", STR("no_time"));
	if (s->parent != OTLP_NO_PARENT) {
		first = json_first(json_get(s->step, "steps"));
		put_string(
		    x->out, "gen_ai.agent.name", json_get(first, "agent"));
		return;
	}
	put_string(x->out, "gen_ai.provider.name",
	    json_get(x->run->trace.record, "provider"));
	put_string(x->out, "gen_ai.agent.name", m[TRACE_AGENT]);
	put_string(x->out, "gen_ai.conversation.id", m[TRACE_ID]);
	put_string(x->out, "test.case.name", m[TRACE_SCENARIO_ID]);
	put_system(x->out, m[TRACE_SYSTEM]);
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
	    : s->parent == OTLP_NO_PARENT            ? json_get(record, "agent")
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
put_span(struct otlp *x, const struct otlp_span *s, size_t i)
{
	struct out *o = x->out;

	out_begin(o, '{');
	out_member_str(o, "traceId", x->trace_id);
	put_id(x, "spanId", i);
	if (s->parent != OTLP_NO_PARENT)
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
	struct otlp x = { .run = run,
		.arena = run->arena,
		.out = o,
		.trace_id = trace_id_of(run) };
	struct otlp_spans spans = otlp_spans(run);

	out_member_begin(o, "resourceSpans", '[');
	out_begin(o, '{');
	put_resource(&x);
	out_member_begin(o, "scopeSpans", '[');
	out_begin(o, '{');
	out_member_begin(o, "scope", '{');
	out_member_str(o, "name", STR("mcpl-extract"));
	out_end(o, '}');
	out_member_begin(o, "spans", '[');
	for (size_t i = 0; i < spans.n; i++)
		put_span(&x, &spans.list[i], i);
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, ']');
	out_end(o, '}');
	out_end(o, ']');
}

const struct export export_otlp = {
	.name = "otlp", .write = write_run, .in_order = true
};
