/* A run as a transcript that a person reads. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "text/ansi.h"
#include "text/humanize.h"
#include "text/layout.h"
#include "text/table.h"
#include "trace/trace.h"
#include "trace/usage.h"

enum {
	LABEL = 9, /* cells of a label and the blanks after it */
	INNER = 2, /* more indent for the steps of a sub-agent */
};

/* A transcript while it is written. */
struct transcript {
	struct out *out;
	struct arena *arena;
	bool color;
	size_t results; /* bytes to show of each result */
	size_t indent;
};

/* Returns the text with its lines, as a terminal may show it, without the
 * colours that programs print and without white space at the end. */
static struct str
clean(const struct transcript *t, struct str text)
{
	struct str shown =
	    layout_clean(t->arena, ansi_strip(t->arena, text), true);

	while (shown.n != 0 &&
	    (shown.s[shown.n - 1] == '\n' || shown.s[shown.n - 1] == ' '))
		shown.n--;
	return shown;
}

static void
put_toned(const struct transcript *t, enum tone tone, struct str text)
{
	if (t->color)
		out_text(t->out, tone_begin(tone));
	out_str(t->out, text);
	if (t->color)
		out_text(t->out, tone_end(tone));
}

/* Writes a label and the lines of a text beside it. Nothing is written for a
 * text without lines. */
static void
put(const struct transcript *t, const char *label, enum tone tone,
    enum tone of_text, struct str text)
{
	struct str rest = clean(t, text);
	bool first = true;

	if (rest.n == 0)
		return;
	while (rest.s != NULL) {
		struct str line = str_cut(&rest, '\n');

		if (first) {
			layout_space(t->out, t->indent);
			put_toned(t, tone, str_of(label));
			layout_space(t->out, LABEL - strlen(label));
		} else if (line.n != 0) {
			layout_space(t->out, t->indent + LABEL);
		}
		put_toned(t, line.n == 0 ? TONE_PLAIN : of_text, line);
		out_line(t->out);
		first = false;
	}
}

/* ---- the head ---- */

/* Adds a text to the line, with words before and after the text. Nothing is
 * added for an absent text. */
static void
add(struct transcript *t, struct str *line, const char *before, struct str text,
    const char *after)
{
	if (text.n == 0)
		return;
	*line = str_printf(t->arena, "%.*s%s%s%.*s%s", STR_FMT(*line),
	    line->n == 0 ? "" : "  ", before, STR_FMT(text), after);
}

static void
add_usage(struct transcript *t, struct str *line, const struct usage *u)
{
	double input = u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
	    u->n[USAGE_CACHE_WRITE];

	if (u->known & 1U << USAGE_INPUT)
		add(t, line, "", humanize_tokens(t->arena, input),
		    " tokens in");
	if (u->known & 1U << USAGE_OUTPUT)
		add(t, line, "", humanize_tokens(t->arena, u->n[USAGE_OUTPUT]),
		    " out");
	if (u->known & 1U << USAGE_COST)
		add(t, line, "", humanize_usd(t->arena, u->n[USAGE_COST] * 1e9),
		    "");
}

/* Writes the run's id and, on a second line, what is known about the run. */
static void
put_head(struct transcript *t, const struct trace *trace)
{
	const struct json *const *m = trace->member;
	struct usage usage = usage_of(m[TRACE_USAGE]);
	struct str line = { 0 };

	add(t, &line, "scenario ", json_text(m[TRACE_SCENARIO_ID], t->arena),
	    "");
	add(t, &line, "agent ", json_text(m[TRACE_AGENT], t->arena), "");
	add(t, &line, "model ", json_text(m[TRACE_MODEL], t->arena), "");
	add(t, &line, "", json_text(m[TRACE_TS_START], t->arena), "");
	if (json_is(m[TRACE_DURATION_MS], JSON_NUMBER))
		add(t, &line, "",
		    humanize_time(
			t->arena, json_double(m[TRACE_DURATION_MS]) * 1000),
		    "");
	add_usage(t, &line, &usage);
	put(t, "run", TONE_STRONG, TONE_STRONG,
	    json_text(m[TRACE_ID], t->arena));
	put(t, "", TONE_PLAIN, TONE_FAINT, line);
}

/* ---- the steps ---- */

static bool
is_failed(const struct json *step)
{
	return json_is(json_get(step, "is_error"), JSON_TRUE);
}

/* Writes the tool, its arguments on the same line, and the time taken. */
static void
put_call(struct transcript *t, const struct json *step)
{
	const struct json *args = json_get(step, "args");
	const struct json *ms = json_get(step, "duration_ms");
	struct out line;

	out_open_memory(&line);
	out_str(&line, json_text(json_get(step, "tool"), t->arena));
	if (args != NULL) {
		out_char(&line, ' ');
		out_str(&line, export_result_text(args, t->arena));
	}
	if (json_is(ms, JSON_NUMBER)) {
		struct str taken =
		    humanize_time(t->arena, json_double(ms) * 1000);

		out_printf(&line, "  (%.*s)", STR_FMT(taken));
	}
	put(t, trace_step_is_users(step) ? "user" : "call", TONE_WARN,
	    TONE_PLAIN, out_keep(&line, t->arena));
}

static void
put_result(struct transcript *t, const struct json *step)
{
	const struct json *result = json_get(step, "result");
	struct str text = clean(t, export_result_text(result, t->arena));

	if (t->results == 0)
		result = NULL;
	if (result == NULL)
		text = (struct str){ 0 };
	else
		text = layout_cut(t->arena, text, t->results);
	if (is_failed(step))
		put(t, "failed", TONE_BAD, TONE_PLAIN,
		    text.n == 0 ? STR("(no result)") : text);
	else if (result != NULL)
		put(t, "result", TONE_FAINT, TONE_FAINT, text);
}

static void
put_steps(struct transcript *t, const struct json *steps)
{
	for (json_each(step, steps)) {
		if (json_get(step, "text") != NULL)
			put(t, "agent", TONE_GOOD, TONE_PLAIN,
			    json_text(json_get(step, "text"), t->arena));
		if (json_get(step, "tool") == NULL)
			continue;
		put_call(t, step);
		t->indent += INNER;
		put_steps(t, json_get(step, "steps"));
		t->indent -= INNER;
		put_result(t, step);
	}
}

static void
put_turn(struct transcript *t, const struct json *turn)
{
	out_line(t->out);
	put(t, "user", TONE_STRONG, TONE_STRONG,
	    json_text(json_get(turn, "prompt"), t->arena));
	if (json_is(json_get(turn, "abandoned"), JSON_TRUE))
		put(t, "", TONE_PLAIN, TONE_FAINT,
		    STR("(the user took this turn back)"));
	put_steps(t, json_get(turn, "steps"));
}

/* ---- the end ---- */

/* Writes why the run failed, and the status and the failures of a run that was
 * checked. */
static void
put_verdict(struct transcript *t, const struct trace *trace)
{
	struct str status = json_text(trace->member[TRACE_STATUS], t->arena);
	bool bad = str_is(status, "failed") || str_is(status, "error");

	put(t, "error", TONE_BAD, TONE_PLAIN, trace_error(trace, t->arena));
	if (status.n != 0)
		put(t, "status", TONE_STRONG, bad ? TONE_BAD : TONE_GOOD,
		    status);
	for (json_each(reason, trace->member[TRACE_FAILURES]))
		put(t, "", TONE_PLAIN, TONE_PLAIN, json_text(reason, t->arena));
}

static void
write_run(struct out *o, const struct export_run *run)
{
	const struct trace *trace = &run->trace;
	struct transcript t = {
		.out = o,
		.arena = run->arena,
		.color = run->color,
		.results = run->results,
	};

	put_head(&t, trace);
	for (json_each(turn, trace->member[TRACE_TURNS]))
		put_turn(&t, turn);
	put(&t, "answer", TONE_GOOD, TONE_PLAIN,
	    json_text(export_answer(trace), run->arena));
	put_verdict(&t, trace);
	out_line(o);
}

const struct export export_text = { .name = "text",
	.write = write_run,
	.lines = true,
	.in_order = true,
	.for_people = true };
