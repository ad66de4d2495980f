#include "judge/context.h"

#include <inttypes.h>

#include "judge/workspace_files.h"
#include "text/visible.h"

/* ---- what is wanted ---- */

static const char *const texts[] = {
	[CONTEXT_FINAL] = "final",
	[CONTEXT_TURN] = "turn",
	[CONTEXT_TRANSCRIPT] = "transcript",
	[CONTEXT_NONE] = "none",
};

static const struct {
	const char *name;
	unsigned bit;
} contexts[] = {
	{ "prompt", CONTEXT_PROMPT },
	{ "tool_sequence", CONTEXT_TOOL_SEQUENCE },
	{ "tool_inputs", CONTEXT_TOOL_INPUTS },
	{ "transcript", CONTEXT_WHOLE },
	{ "expected", CONTEXT_EXPECTED },
	{ "workspace", CONTEXT_WORKSPACE },
	{ "results", CONTEXT_RESULTS },
	{ "system", CONTEXT_SYSTEM },
};

static bool
read_text(struct context *e, const struct json *text)
{
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (json_str_is(text, str_of(texts[i]))) {
			e->text = (enum context_text)i;
			return true;
		}
	}
	return false;
}

static bool
read_context(struct context *e, const struct json *name)
{
	for (size_t i = 0; i < sizeof contexts / sizeof contexts[0]; i++) {
		if (json_str_is(name, str_of(contexts[i].name))) {
			e->context |= contexts[i].bit;
			return true;
		}
	}
	return false;
}

static struct str
source_if(const struct json *v)
{
	struct str none = { 0 };

	return v == NULL ? none : v->text;
}

bool
context_read(struct context *e, struct arena *a, const struct json *result,
    struct str *why)
{
	const struct json *judge = json_get(result, "judge");
	const struct json *text = json_get(judge, "text");
	const struct json *turn = json_get(result, "turn");

	*e = (struct context){ .turn = -1 };
	if (!read_text(e, text)) {
		*why = str_printf(a, "the check names an unknown text: %.*s",
		    STR_FMT(text == NULL ? STR("(none)") : text->text));
		return false;
	}
	for (json_each(name, json_get(judge, "context"))) {
		if (!read_context(e, name)) {
			*why = str_printf(a,
			    "the check names an unknown context: %.*s",
			    STR_FMT(name->text));
			return false;
		}
	}
	if (e->text != CONTEXT_TURN)
		e->turn = 0;
	else if (!json_int(turn, &e->turn) || e->turn < 0) {
		*why = STR("the check does not name the turn to judge");
		return false;
	}
	if (e->context & CONTEXT_PROMPT) {
		e->prompt = source_if(json_get(judge, "prompt"));
		if (e->text != CONTEXT_TURN &&
		    json_str_is(json_get(result, "dialect"), "mcplab"))
			e->context |= CONTEXT_OF_SCENARIO;
	}
	if (e->context & CONTEXT_EXPECTED)
		e->expected = source_if(json_get(judge, "expected"));
	e->answer = json_get(judge, "answer");
	if (e->context & CONTEXT_WORKSPACE)
		e->folder = json_text(json_get(judge, "workspace"), a);
	return true;
}

struct str
context_key(const struct context *e, struct arena *a)
{
	const struct str parts[] = { str_printf(a, "%d %u %" PRId64,
					 (int)e->text, e->context, e->turn),
		e->prompt, e->expected, e->folder, source_if(e->answer) };

	return hash_key(a, parts, sizeof parts / sizeof parts[0]);
}

/* ---- what is shown ---- */

static void
put_source(struct out *o, const char *key, struct str json)
{
	out_key(o, key);
	out_json_raw(o, json);
}

static void
put(struct out *o, const char *key, const struct json *value)
{
	if (value != NULL && value->type != JSON_NULL)
		put_source(o, key, value->text);
}

/* Writes the author's prompt, or the recorded one of the turn or the run, by the
 * name to which a rubric of its dialect may refer. An empty prompt counts as
 * absent. */
static void
put_prompt(struct out *o, const struct trace *t, const struct context *e)
{
	const struct json *turns = t->member[TRACE_TURNS];
	const struct json *prompt = t->member[TRACE_PROMPT];
	struct str shown = e->prompt;

	if (e->text == CONTEXT_TURN)
		prompt = json_get(json_at(turns, (size_t)e->turn), "prompt");
	if (shown.s == NULL)
		shown = source_if(prompt);
	if (shown.s == NULL || str_is(shown, "\"\"") || str_is(shown, "null"))
		return;
	put_source(o,
	    e->context & CONTEXT_OF_SCENARIO ? "scenario_prompt" : "prompt",
	    shown);
}

static void
put_tool_sequence(struct out *o, const struct trace_calls *calls)
{
	out_member_begin(o, "tool_sequence", '[');
	for (size_t i = 0; i < calls->n; i++)
		out_json_str(o, calls->list[i].tool);
	out_end(o, ']');
}

/* Writes each call with its arguments and, if `results`, its result. */
static void
put_calls(struct out *o, const struct trace_calls *calls, const char *name,
    bool results)
{
	out_member_begin(o, name, '[');
	for (size_t i = 0; i < calls->n; i++) {
		out_begin(o, '{');
		out_key(o, "tool");
		out_json_str(o, calls->list[i].tool);
		put(o, "arguments", calls->list[i].args);
		put(o, "result", results ? calls->list[i].result : NULL);
		put(o, "is_error", results ? calls->list[i].is_error : NULL);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
put_steps(struct out *o, const struct json *steps)
{
	for (json_each(step, steps)) {
		const struct json *inner = json_get(step, "steps");

		out_begin(o, '{');
		put(o, "assistant", json_get(step, "text"));
		put(o, "by", json_get(step, "by"));
		put(o, "tool", json_get(step, "tool"));
		put(o, "arguments", json_get(step, "args"));
		put(o, "result", json_get(step, "result"));
		put(o, "is_error", json_get(step, "is_error"));
		if (inner != NULL) {
			out_member_begin(o, "steps", '[');
			put_steps(o, inner);
			out_end(o, ']');
		}
		out_end(o, '}');
	}
}

/* Writes the turns, except those that the user took back. */
static void
put_transcript(struct out *o, const struct json *turns)
{
	out_member_begin(o, "transcript", '[');
	for (json_each(turn, turns)) {
		const struct json *prompt = json_get(turn, "prompt");

		if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
			continue;
		if (prompt != NULL) {
			out_begin(o, '{');
			put(o, "user", prompt);
			out_end(o, '}');
		}
		put_steps(o, json_get(turn, "steps"));
	}
	out_end(o, ']');
}

/* Returns the answer: the run's final text, or the last text of the turn that
 * the agent itself (not a sub-agent) wrote. */
static const struct json *
answer_of(const struct trace *t, const struct context *e)
{
	const struct json *answer = NULL, *turn;

	if (e->answer != NULL)
		return e->answer;
	if (e->text == CONTEXT_FINAL)
		return t->member[TRACE_FINAL_TEXT];
	turn = json_at(t->member[TRACE_TURNS], (size_t)e->turn);
	for (json_each(step, json_get(turn, "steps")))
		if (json_get(step, "text") != NULL)
			answer = json_get(step, "text");
	return answer;
}

/* Returns the calls that belong to the answer: the turn's or the run's. */
static struct trace_calls
calls_of(const struct trace *t, struct arena *a, const struct context *e)
{
	struct trace_calls all = trace_calls(t, a), calls = { 0 };

	if (e->text != CONTEXT_TURN)
		return all;
	for (size_t i = 0; i < all.n; i++)
		if (all.list[i].turn == (size_t)e->turn)
			*arena_push(a, calls.list, calls.n) = all.list[i];
	return calls;
}

static void
put_context(struct out *o, struct arena *a, const struct trace *t,
    const struct context *e)
{
	struct trace_calls calls = calls_of(t, a, e);
	bool recorded = t->member[TRACE_TOOL_SEQUENCE] != NULL;

	if (e->context & CONTEXT_PROMPT)
		put_prompt(o, t, e);
	if ((e->context & CONTEXT_TOOL_SEQUENCE) && recorded)
		put_tool_sequence(o, &calls);
	if ((e->context & CONTEXT_TOOL_INPUTS) && recorded)
		put_calls(o, &calls, "tool_inputs", false);
	if ((e->context & CONTEXT_RESULTS) && recorded)
		put_calls(o, &calls, "results", true);
	if (e->context & CONTEXT_SYSTEM)
		put(o, "system", t->member[TRACE_SYSTEM]);
	if (e->text == CONTEXT_TRANSCRIPT || (e->context & CONTEXT_WHOLE))
		put_transcript(o, t->member[TRACE_TURNS]);
	if (e->expected.s != NULL)
		put_source(o, "expected", e->expected);
	put(o, "cut", t->member[TRACE_CUT]);
}

/* Returns the whole object except for the member "workspace". An answer without a
 * text is said to be empty, so that no judge takes it for one that is missing. */
static struct str
record_of(const struct context *e, const struct context_source *from)
{
	const struct json *answer = answer_of(from->trace, e);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	if (e->text <= CONTEXT_TURN) {
		put(&o, "answer", answer);
		if (json_str_is(answer, ""))
			out_member_bool(&o, "answer_is_empty", true);
	}
	put_context(&o, from->arena, from->trace, e);
	out_end(&o, '}');
	return out_keep(&o, from->arena);
}

/* Returns the object with marks for base64 and, if `redacts`, for secrets. */
static struct str
marked(struct str json, const struct context_source *from, bool redacts)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	json = media_mark(from->media, json_read(&reader, json, NULL, &error));
	if (redacts && from->redaction != NULL)
		json = redact_context(
		    from->redaction, json_read(&reader, json, NULL, &error));
	json_reader_free(&reader);
	return json;
}

/* Returns a copy of the object, which is not empty, with one more member. */
static struct str
with_member(
    struct arena *a, struct str object, const char *key, struct str value)
{
	struct out o;

	out_open_memory(&o);
	out_str(&o, str_slice(object, 0, object.n - 1));
	o.comma = object.n > 2;
	put_source(&o, key, value);
	out_char(&o, '}');
	return out_keep(&o, a);
}

/* Returns why the run has no text to judge; absent: it has one. */
static struct str
why_no_text(const struct context *e, const struct trace *t)
{
	if (e->text == CONTEXT_TRANSCRIPT && t->member[TRACE_TURNS] == NULL)
		return STR("the run records no turns");
	if (e->text <= CONTEXT_TURN && answer_of(t, e) == NULL)
		return e->text == CONTEXT_FINAL
		    ? STR("the run records no final answer")
		    : STR("the turn records no answer");
	return (struct str){ 0 };
}

struct str
context_write(
    const struct context *e, const struct context_source *from, struct str *why)
{
	struct arena *a = from->arena;
	struct str files, json;

	*why = why_no_text(e, from->trace);
	if (why->s != NULL)
		return (struct str){ 0 };
	json = marked(record_of(e, from), from, true);
	if (e->folder.s != NULL) {
		files = workspace_files_write(
		    a, str_c(a, e->folder), from->redaction, from->files, why);
		if (why->s != NULL)
			return files;
		json = marked(
		    with_member(a, json, "workspace", files), from, false);
	}
	return visible_json(a, json);
}
