/* Assertions that a program of the author decides: types javascript and python, as
 * promptfoo 0.123 takes what they return (src/assertions/javascript.ts, python.ts,
 * scriptResultNormalization.ts). */
#include "check/promptfoo/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check/kind/kind.h"
#include "io/out.h"

struct program_want {
	struct promptfoo_program program;
	struct promptfoo_changes changes;
	const double *threshold;
	struct str source; /* a failure's reason ends with it */
	bool python;       /* the type is `python` */
	bool negate;
};

/* ---- what a program returns ---- */

/* The verdict of a program on a run. */
struct verdict {
	bool known, pass, graded;
	double score;
	struct str reason;        /* absent: a result is no object */
	const struct json *parts; /* the object */
};

/* Returns the member, which Python may write in another way. */
static const struct json *
member(const struct json *v, const char *name, const char *snake)
{
	const struct json *found = json_get(v, name);

	return found != NULL ? found : json_get(v, snake);
}

static struct verdict
of_number(const struct program_want *w, double n)
{
	return (struct verdict){ .known = true,
		.graded = true,
		.score = n,
		.pass = w->threshold == NULL ? n > 0 : n >= *w->threshold };
}

struct promptfoo_grading
promptfoo_grading_of(const struct json *v, const char *alias, struct arena *a)
{
	const struct json *pass = member(v, "pass", alias),
			  *score = json_get(v, "score"),
			  *reason = json_get(v, "reason");

	return (struct promptfoo_grading){
		.known =
		    (json_is(pass, JSON_TRUE) || json_is(pass, JSON_FALSE)) &&
		    json_is(score, JSON_NUMBER) && json_is(reason, JSON_STRING),
		.pass = json_is(pass, JSON_TRUE),
		.score = json_double(score),
		.reason = json_text(reason, a),
	};
}

static struct verdict
of_object(const struct program_want *w, const struct json *v, struct arena *a)
{
	struct promptfoo_grading g =
	    promptfoo_grading_of(v, w->python ? "pass_" : "", a);
	struct verdict r = { .known = g.known,
		.pass = g.pass,
		.graded = true,
		.score = g.score,
		.reason = g.reason,
		.parts = v };

	if (!r.known || !w->python || w->threshold == NULL ||
	    r.score >= *w->threshold)
		return r;
	r.pass = false;
	r.reason = str_printf(a,
	    "Python score %.*s is less than threshold %.15g%s%.*s",
	    STR_FMT(json_get(v, "score")->text), *w->threshold,
	    r.reason.n == 0 ? "" : ": ", STR_FMT(r.reason));
	return r;
}

/* Returns the verdict of a text that Python returned. */
static struct verdict
of_text(const struct program_want *w, struct str text, struct arena *a)
{
	const char *number = str_c(a, text);
	char *end;
	double n = strtod(number, &end);

	if (str_starts(text, "{"))
		return of_object(w, json_parse(a, text), a);
	if (strcasecmp(number, "true") == 0 || strcasecmp(number, "false") == 0)
		return (struct verdict){ .known = true,
			.pass = strcasecmp(number, "true") == 0 };
	if (end == number)
		return (struct verdict){ 0 };
	return of_number(w, n);
}

static struct verdict
verdict_of(const struct program_want *w, const struct program_answer *answer,
    struct arena *a)
{
	const struct json *v = answer->value;

	if (json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE))
		return (struct verdict){ .known = true,
			.pass = json_is(v, JSON_TRUE) };
	if (str_is(answer->type, "number"))
		return of_number(w,
		    answer->text.s != NULL
			? strtod(str_c(a, answer->text), NULL)
			: json_double(v));
	if (json_is(v, JSON_STRING) && w->python)
		return of_text(w, json_text(v, a), a);
	return json_is(v, JSON_OBJECT) ? of_object(w, v, a)
				       : (struct verdict){ 0 };
}

/* ---- deciding ---- */

/* Returns promptfoo's words before a program's own message. */
static const char *
thrown(const struct program_want *w)
{
	if (!w->python)
		return "Custom function threw error: ";
	return w->program.call.file.s != NULL
	    ? "Error running Python script: "
	    : "Python code execution failed: Error running Python script: ";
}

/* Returns promptfoo's words for a result that is of no use. */
static struct str
useless(const struct program_want *w, const struct program_answer *answer,
    struct arena *a)
{
	struct str text =
	    answer->value == NULL ? STR("undefined") : answer->value->text;

	if (w->python && str_starts(json_raw(answer->value), "{"))
		return str_printf(a,
		    "Python code execution failed: Invalid JSON: %.*s",
		    STR_FMT(text));
	if (w->python)
		return str_printf(a,
		    "Python code execution failed: Python assertion must "
		    "return a boolean, number, or {pass, score, reason} "
		    "object. %s: %.*s",
		    json_is(answer->value, JSON_OBJECT) ||
			    json_is(answer->value, JSON_ARRAY)
			? "Got instead"
			: "Instead got",
		    STR_FMT(text));
	return str_printf(a,
	    "Custom function threw error: Custom function must return a "
	    "boolean, number, or GradingResult object. Got type %.*s: %.*s",
	    STR_FMT(answer->type), STR_FMT(text));
}

/* Returns the reason of a verdict that failed by itself. */
static struct str
reason_of(
    const struct program_want *w, const struct verdict *r, struct arena *a)
{
	if (r->pass != w->negate)
		return r->pass ? r->reason : (struct str){ 0 };
	if (r->reason.s != NULL && !r->pass)
		return r->reason;
	return str_printf(a, "%s returned %s%s%.*s",
	    w->python ? "Python code" : "Custom function",
	    r->pass ? "true" : "false",
	    r->reason.s != NULL || w->source.n == 0 ? "" : "\n",
	    STR_FMT(r->reason.s != NULL ? STR("") : w->source));
}

static struct finding
find(const void *want, struct view *v)
{
	const struct program_want *w = want;
	struct program_answer answer;
	struct finding f;
	struct verdict r;
	struct str output;

	if (!promptfoo_change_answer(&w->changes, v, &output, &f))
		return f;
	answer = promptfoo_call(&w->program, v, output);
	if (answer.error.s != NULL)
		return promptfoo_failed(v, thrown(w), answer.error);
	r = verdict_of(w, &answer, v->arena);
	if (!r.known)
		return promptfoo_failed(v, "", useless(w, &answer, v->arena));
	f.found = r.pass ? FOUND_YES : FOUND_NO;
	f.graded = r.graded;
	f.share = w->negate ? 1 - r.score : r.score;
	f.why = view_shown(v, reason_of(w, &r, v->arena));
	if (r.parts != NULL)
		f.cause = r.parts->text;
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct program_want *w = want;

	promptfoo_show_program(&w->program, "program", o);
	promptfoo_show_changes(&w->changes, o);
	if (w->threshold != NULL)
		out_member_double(o, "threshold", *w->threshold);
}

/* Adds what the program says of parts and named scores to the metadata, and takes
 * its reason. */
static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	static const char *const names[][2] = { { "namedScores",
						    "named_scores" },
		{ "componentResults", "component_results" } };
	const struct json *result =
	    f->cause.s == NULL ? NULL : json_parse(v->arena, f->cause);
	struct out o;

	if (f->why.n != 0)
		r->reason = f->why;
	out_open_json(&o, '{');
	if (c->metadata.n > 2)
		out_json_raw(&o, str_slice(c->metadata, 1, c->metadata.n - 1));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct json *found =
		    member(result, names[i][0], names[i][1]);

		if (found == NULL)
			continue;
		out_member_raw(&o, names[i][0], view_shown(v, found->text));
	}
	out_end(&o, '}');
	if (out_memory(&o).n > 2)
		r->metadata = out_keep(&o, v->arena);
	else
		(void)out_close(&o);
}

/* ---- reading ---- */

const struct check_kind promptfoo_program_kind = {
	.name = "program", .find = find, .show = show
};

static struct check
program(struct fields *e)
{
	struct program_want w = { .negate = promptfoo_is_negated(e),
		.python = scenarios_form(e)->how == PROGRAM_PYTHON };
	struct str text = promptfoo_text(e);
	struct check c;

	while (!w.python && text.n != 0 && json_is_space(text.s[text.n - 1]))
		text.n--;
	w.source =
	    w.python ? json_text(json_get(e->object, "value"), e->arena) : text;
	w.program.call.language = (enum program_language)scenarios_form(e)->how;
	if (fields_ok(e))
		promptfoo_read_program(e, text, "get_assert", &w.program);
	w.threshold = fields_number_given(e, "threshold");
	w.changes = promptfoo_read_changes(e);
	c = check_new(
	    e->arena, &promptfoo_program_kind, &w, sizeof w, VIEW_TEXT);
	c.explain = explain;
	return promptfoo_finish(e, c, w.program.call.file);
}

const struct form promptfoo_program_forms[] = {
	FORM("javascript", program, .how = PROGRAM_JAVASCRIPT,
	    PARAMS(NEED("value", NAME), KEY("threshold", NUMBER))),
	FORM("python", program, .how = PROGRAM_PYTHON,
	    PARAMS(NEED("value", NAME), KEY("threshold", NUMBER))),
	FORM(NULL, NULL),
};
