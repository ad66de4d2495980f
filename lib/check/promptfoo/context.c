/* The object `context` that promptfoo gives an author's program
 * (site/docs/configuration/expected-outputs/javascript.md of promptfoo 0.123). */
#include "check/promptfoo/program.h"

#include "io/out.h"

/* ---- what is the same for all runs of a test ---- */

void
promptfoo_put_vars(struct out *o, const struct promptfoo_vars *vars)
{
	for (size_t i = 0; i < vars->n; i++) {
		out_key_str(o, vars->list[i].name);
		out_json_raw(o, vars->list[i].value->text);
	}
}

void
promptfoo_put_vars_in(struct out *o, const struct promptfoo_vars *vars)
{
	out_member_begin(o, "vars", '{');
	promptfoo_put_vars(o, vars);
	out_end(o, '}');
}

/* Writes the elements of the lists of assertions, the first part's first. */
static void
put_asserts(struct out *o, const struct promptfoo_test *t)
{
	out_member_begin(o, "assert", '[');
	for (size_t i = 0; i < t->nparts; i++)
		for (json_each(v, json_get(t->parts[i].v, "assert")))
			out_json_raw(o, v->text);
	out_end(o, ']');
}

/* Returns whether a later part has the member as well. */
static bool
is_hidden(const struct promptfoo_test *t, size_t part, struct str key)
{
	bool hidden = str_is(key, "vars") || str_is(key, "assert");

	while (!hidden && ++part < t->nparts)
		hidden = json_get(t->parts[part].v, key) != NULL;
	return hidden;
}

/* Writes the test as its file has it, with the vars filled in. */
static void
put_test(struct out *o, const struct promptfoo_test *t, struct arena *a)
{
	out_member_begin(o, "test", '{');
	promptfoo_put_vars_in(o, &t->vars);
	put_asserts(o, t);
	for (size_t i = 0; i < t->nparts; i++)
		for (json_members(key, t->parts[i].v))
			if (!is_hidden(t, i, json_text(key, a)))
				promptfoo_put_member(o, key, a);
	out_end(o, '}');
}

/* Returns the members of the object, which ends here. */
static struct str
members_of(struct out *o, struct arena *a)
{
	struct str all;

	all = out_keep_json(o, '}', a);
	return str_slice(all, 1, all.n - 1);
}

struct str
promptfoo_context_vars(const struct promptfoo_test *t, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	promptfoo_put_vars_in(&o, &t->vars);
	return members_of(&o, a);
}

struct str
promptfoo_context(
    const struct promptfoo_test *t, const struct json *config, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	promptfoo_put_vars_in(&o, &t->vars);
	put_test(&o, t, a);
	if (config != NULL) {
		out_member_raw(&o, "config", config->text);
	}
	return members_of(&o, a);
}

/* ---- what a run adds ---- */

static void
put_json(struct out *o, const char *key, const struct json *v)
{
	if (v == NULL)
		return;
	out_member_raw(o, key, v->text);
}

/* Writes {"prompt","completion","total"}, as far as they are recorded. */
static void
put_tokens(struct out *o, const struct json *usage)
{
	const struct json *in = json_get(usage, "input_tokens"),
			  *out = json_get(usage, "output_tokens");

	if (in == NULL && out == NULL)
		return;
	out_member_begin(o, "tokenUsage", '{');
	put_json(o, "prompt", in);
	put_json(o, "completion", out);
	if (in != NULL && out != NULL)
		out_member_double(
		    o, "total", json_double(in) + json_double(out));
	out_end(o, '}');
}

static void
put_response(struct out *o, const struct trace *t, struct str output)
{
	const struct json *usage = t->member[TRACE_USAGE];

	out_member_begin(o, "providerResponse", '{');
	out_member_raw(o, "output", output);
	put_tokens(o, usage);
	put_json(o, "cost", json_get(usage, "cost_usd"));
	put_json(o, "latencyMs", t->member[TRACE_DURATION_MS]);
	put_json(o, "metadata", t->member[TRACE_META]);
	out_end(o, '}');
}

/* Writes a call as a span. Its times count from 0. */
static void
put_span(struct out *o, const struct trace_call *call, size_t n, double *now)
{
	out_begin(o, '{');
	out_member_size(o, "spanId", n);
	out_member_str(o, "name", call->tool);
	out_member_double(o, "startTime", *now);
	if (call->duration_ms != NULL) {
		*now += json_double(call->duration_ms);
		out_member_double(o, "endTime", *now);
	}
	out_member_begin(o, "attributes", '{');
	out_member_str(o, "gen_ai.tool.name", call->tool);
	out_member_str(o, "tool.name", call->tool);
	put_json(o, "tool.arguments", call->args);
	put_json(o, "tool.result", call->result);
	out_end(o, '}');
	if (call->is_error != NULL)
		out_member_size(o, "statusCode",
		    json_is(call->is_error, JSON_TRUE) ? 2 : 1);
	out_end(o, '}');
}

static void
put_trace(struct out *o, struct view *v)
{
	struct trace_calls calls = { 0 };
	double now = 0;

	if (v->have & VIEW_CALLS && !(v->cut & VIEW_CALLS))
		calls = view_calls(v);
	if (calls.n == 0)
		return;
	out_member_begin(o, "trace", '{');
	put_json(o, "traceId", v->trace->member[TRACE_ID]);
	out_member_begin(o, "spans", '[');
	for (size_t i = 0; i < calls.n; i++)
		put_span(o, &calls.list[i], i + 1, &now);
	out_end(o, ']');
	out_end(o, '}');
}

static void
put_prompt(
    struct out *o, const char *key, const struct trace *t, struct str otherwise)
{
	if (t->member[TRACE_PROMPT] != NULL)
		put_json(o, key, t->member[TRACE_PROMPT]);
	else
		out_member_str(o, key, otherwise);
}

/* Opens the list of a program's arguments, and in it the context. */
static void
begin_arguments(struct out *o, struct str output)
{
	out_open_json(o, '[');
	out_json_raw(o, output);
	out_begin(o, '{');
}

/* Adds what is the same for all runs, and returns the list, in the arena. */
static struct str
end_arguments(struct out *o, struct str constant, struct arena *a)
{
	out_json_raw(o, constant);
	out_end(o, '}');
	return out_keep_json(o, ']', a);
}

struct str
promptfoo_change_arguments(
    struct view *v, struct str output, struct str constant, struct str prompt)
{
	const struct trace *t = v->trace;
	struct out o;

	begin_arguments(&o, output);
	out_member_begin(&o, "prompt", '{');
	put_prompt(&o, "label", t, prompt);
	out_end(&o, '}');
	put_json(&o, "metadata", t->member[TRACE_META]);
	return end_arguments(&o, constant, v->arena);
}

struct str
promptfoo_arguments(
    struct view *v, struct str output, struct str constant, struct str prompt)
{
	const struct trace *t = v->trace;
	struct out o;

	begin_arguments(&o, output);
	put_prompt(&o, "prompt", t, prompt);
	out_member_begin(&o, "provider", '{');
	put_json(&o, "id", t->member[TRACE_AGENT]);
	put_json(&o, "label", t->member[TRACE_AGENT]);
	put_json(&o, "model", t->member[TRACE_MODEL]);
	out_end(&o, '}');
	put_response(&o, t, output);
	put_json(&o, "metadata", t->member[TRACE_META]);
	put_trace(&o, v);
	return end_arguments(&o, constant, v->arena);
}
