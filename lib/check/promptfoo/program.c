/* Assertions that a program of the author decides: types javascript and python, and
 * the key `transform`, as promptfoo 0.123 takes what they return
 * (src/assertions/javascript.ts, python.ts, scriptResultNormalization.ts,
 * src/util/transform.ts). */
#include "check/promptfoo/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check/kind/kind.h"
#include "io/out.h"

/* A program, and the context that is the same for all runs. */
struct program {
	struct program_call call;
	struct str constant, prompt;
};

/* The programs that change an answer before a check looks at the answer: the test's
 * own and the assertion's; each may be NULL. promptfoo's results have the answer as
 * the test's own has changed it. */
struct changes {
	const struct program *test, *own;
};

struct program_want {
	struct program program;
	struct changes changes;
	const double *threshold;
	struct str source; /* a failure's reason ends with it */
	bool python;       /* the type is `python` */
	bool negate;
};

struct transformed_want {
	struct changes changes;
	const struct check *inner;
};

/* ---- calling ---- */

/* Returns what the program returned for the output, which is JSON. */
static struct program_answer
call(const struct program *p, struct view *v, struct str output)
{
	struct program_call one = p->call;

	one.args = promptfoo_arguments(v, output, p->constant, p->prompt);
	return program_ask(v->options.programs, &one, v->arena);
}

static struct finding
failed(struct view *v, struct str before, struct str why)
{
	return (struct finding){ .found = FOUND_ERROR,
		.why = view_shown(v, str_cat(v->arena, before, why)) };
}

/* Returns the changes that the recorded answer lacks. */
static struct changes
lacking(const struct changes *c, const struct view *v)
{
	const struct json *source = v->trace->member[TRACE_SOURCE];
	struct changes rest = *c;

	if (json_str_is(json_get(source, "format"), "promptfoo"))
		rest.test = NULL;
	return rest;
}

/* Returns the finding for a run whose answer no program may see; its `found` is NO if
 * programs may. */
static struct finding
withheld(const struct view *v)
{
	if (v->options.programs == NULL)
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("programs are not run without "
				   "--allow-commands") };
	return (struct finding){ .found = FOUND_NO,
		.open = (v->cut & VIEW_TEXT) != 0 };
}

/* Changes the output, which is JSON, by the program, which may be NULL. Returns
 * false, with *f, if the program fails. */
static bool
change(const struct program *p, struct view *v, struct str *output,
    struct finding *f)
{
	static const char what[] = "Transform failed: ";
	struct program_answer answer;

	if (p == NULL)
		return true;
	answer = call(p, v, *output);
	if (answer.error.s == NULL &&
	    (answer.value == NULL || json_is(answer.value, JSON_NULL)))
		answer.error = STR("Transform function did not return a value");
	if (answer.error.s == NULL)
		*output = answer.value->text;
	else
		*f = failed(v, str_of(what), answer.error);
	return answer.error.s == NULL;
}

/* Sets the output to what the changes make of the answer. Returns false, with *f, if
 * that is not known. */
static bool
change_answer(const struct changes *all, struct view *v, struct str *output,
    struct finding *f)
{
	struct changes c = lacking(all, v);
	const struct json *answer = v->trace->member[TRACE_FINAL_TEXT];

	*f = withheld(v);
	if (f->found != FOUND_NO || f->open)
		return false;
	*output = json_is(answer, JSON_STRING) || answer == NULL
	    ? out_quote(v->arena, view_text(v, VIEW_AS_WRITTEN))
	    : answer->text;
	return change(c.test, v, output, f) && change(c.own, v, output, f);
}

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
	const struct json *found = json_get(v, str_of(name));

	return found != NULL ? found : json_get(v, str_of(snake));
}

static struct verdict
of_number(const struct program_want *w, double n)
{
	return (struct verdict){ .known = true,
		.graded = true,
		.score = n,
		.pass = w->threshold == NULL ? n > 0 : n >= *w->threshold };
}

/* Returns the verdict of a GradingResult; unknown if the object is none. */
static struct verdict
of_object(const struct program_want *w, const struct json *v, struct arena *a)
{
	const struct json *pass = member(v, "pass", w->python ? "pass_" : ""),
			  *score = json_get(v, "score"),
			  *reason = json_get(v, "reason");
	struct verdict r = {
		.known =
		    (json_is(pass, JSON_TRUE) || json_is(pass, JSON_FALSE)) &&
		    json_is(score, JSON_NUMBER) && json_is(reason, JSON_STRING),
		.pass = json_is(pass, JSON_TRUE),
		.graded = true,
		.score = json_double(score),
		.reason = json_text(reason, a),
		.parts = v,
	};

	if (!r.known || !w->python || w->threshold == NULL ||
	    r.score >= *w->threshold)
		return r;
	r.pass = false;
	r.reason = str_printf(a,
	    "Python score %.*s is less than threshold %.15g%s%.*s",
	    STR_FMT(score->text), *w->threshold, r.reason.n == 0 ? "" : ": ",
	    STR_FMT(r.reason));
	return r;
}

/* Returns the verdict of a text that Python returned. */
static struct verdict
of_text(const struct program_want *w, struct str text, struct arena *a)
{
	const char *number = str_c(a, text);
	char *end;
	double n = strtod(number, &end);

	if (str_starts(text, "{")) {
		struct json_reader reader = { 0 };
		struct json_error error;
		const struct json *v =
		    json_keep(a, json_read(&reader, text, NULL, &error));

		json_reader_free(&reader);
		return of_object(w, v, a);
	}
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
static struct str
thrown(const struct program_want *w)
{
	if (!w->python)
		return STR("Custom function threw error: ");
	return w->program.call.file.s != NULL
	    ? STR("Error running Python script: ")
	    : STR("Python code execution failed: Error running Python "
		  "script: ");
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

	if (!change_answer(&w->changes, v, &output, &f))
		return f;
	answer = call(&w->program, v, output);
	if (answer.error.s != NULL)
		return failed(v, thrown(w), answer.error);
	r = verdict_of(w, &answer, v->arena);
	if (!r.known)
		return failed(v, STR(""), useless(w, &answer, v->arena));
	f.found = r.pass ? FOUND_YES : FOUND_NO;
	f.graded = r.graded;
	f.share = w->negate ? 1 - r.score : r.score;
	f.why = view_shown(v, reason_of(w, &r, v->arena));
	if (r.parts != NULL)
		f.cause = r.parts->text;
	return f;
}

static void
show_program(const struct program *p, const char *key, struct out *o)
{
	if (p == NULL)
		return;
	out_member_begin(o, key, '{');
	out_member_str(o, "language",
	    p->call.language == PROGRAM_PYTHON ? STR("python")
					       : STR("javascript"));
	out_member_str(o, "file", p->call.file);
	out_member_str(o, "function", p->call.function);
	out_member_str(o, "code", p->call.code);
	out_end(o, '}');
}

static void
show_changes(const struct changes *c, struct out *o)
{
	show_program(c->test, "test_transform", o);
	show_program(c->own, "transform", o);
}

static void
show(const void *want, struct out *o)
{
	const struct program_want *w = want;

	show_program(&w->program, "program", o);
	show_changes(&w->changes, o);
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
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *result = f->cause.s == NULL
	    ? NULL
	    : json_read(&reader, f->cause, NULL, &error);
	struct out o;

	if (f->why.n != 0)
		r->reason = f->why;
	out_open_memory(&o);
	out_begin(&o, '{');
	if (c->metadata.n > 2)
		out_json_raw(&o, str_slice(c->metadata, 1, c->metadata.n - 1));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct json *found =
		    member(result, names[i][0], names[i][1]);

		if (found == NULL)
			continue;
		out_key(&o, names[i][0]);
		out_json_raw(&o, view_shown(v, found->text));
	}
	out_end(&o, '}');
	if (out_memory(&o).n > 2)
		r->metadata = out_keep(&o, v->arena);
	else
		(void)out_close(&o);
	json_reader_free(&reader);
}

/* ---- transform ---- */

/* Lets the inner check look at the changed answer. */
static struct finding
find_transformed(const void *want, struct view *v)
{
	const struct transformed_want *w = want;
	const struct check *inner = w->inner;
	struct changes c = lacking(&w->changes, v);
	struct json_reader reader = { 0 };
	struct json_error error;
	struct finding f;
	struct view *of;
	struct str output;
	const struct json *text;

	if (c.test == NULL && c.own == NULL)
		return inner->kind->find(inner->want, v);
	if (!change_answer(&w->changes, v, &output, &f))
		return f;
	text = json_read(&reader, output, NULL, &error);
	of = view_of_text(
	    v, json_is(text, JSON_STRING) ? json_text(text, v->arena) : output);
	of->trace = v->trace;
	of->options = v->options;
	json_reader_free(&reader);
	f = inner->kind->find(inner->want, of);
	json_reader_free(&of->reader);
	return f;
}

static const struct check *
inner_check(const void *want)
{
	const struct transformed_want *w = want;

	return w->inner;
}

static void
show_transformed(const void *want, struct out *o)
{
	const struct transformed_want *w = want;

	show_changes(&w->changes, o);
	check_show_wanted(w->inner, o);
}

/* ---- reading ---- */

/* Sets the program to the file and the function that a text names. */
static void
read_file(struct fields *e, struct str text, struct program_call *call)
{
	int language;

	program_split(str_from(text, 7), &call->file, &call->function);
	language = program_language_of(call->file);
	call->language =
	    language == PROGRAM_PYTHON ? PROGRAM_PYTHON : PROGRAM_JAVASCRIPT;
	if (language < 0)
		promptfoo_undecided(e,
		    str_printf(e->arena, "the program is not run: %.*s",
			STR_FMT(text)));
}

/* Sets the program that a text is or names; `otherwise` is the function of a file of
 * Python. All vars must be known, since the program may look at each. */
static void
read_program(
    struct fields *e, struct str text, const char *otherwise, struct program *p)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	struct program_call *call = &p->call;

	call->folder = t->config->folder;
	if (str_starts(text, "file://"))
		read_file(e, text, call);
	else {
		call->code = text;
		call->expression = str_find_char(text, '\n') == text.n;
		call->parameters = call->language == PROGRAM_PYTHON
		    ? "output,context"
		    : "output,context,process";
	}
	if (call->language == PROGRAM_PYTHON)
		call->otherwise = otherwise;
	for (size_t i = 0; i < t->vars.n; i++)
		if (t->vars.list[i].value == NULL)
			promptfoo_undecided(e, t->vars.list[i].unknown);
	if (t->now->undecided.s == NULL)
		p->constant =
		    promptfoo_context(t, fields_get(e, "config"), e->arena);
	p->prompt = t->prompt;
}

static const struct program *
read_transform(struct fields *e, const struct json *v)
{
	struct program *p;

	if (v == NULL)
		return NULL;
	p = arena_new(e->arena, struct program);
	read_program(e, json_text(v, e->arena), "get_transform", p);
	return p;
}

static struct changes
read_changes(struct fields *e)
{
	return (
	    struct changes){ read_transform(e, promptfoo_test_of(e)->transform),
		read_transform(e, fields_get(e, "transform")) };
}

static const struct check_kind program_kind = {
	.name = "program", .find = find, .show = show
};

static struct check
program(struct fields *e)
{
	struct program_want w = { .negate = promptfoo_is_negated(e),
		.python = scenarios_form(e)->how == PROGRAM_PYTHON };
	double *threshold = arena_new(e->arena, double);
	struct str text = promptfoo_text(e);
	struct check c;

	while (!w.python && text.n != 0 && json_is_space(text.s[text.n - 1]))
		text.n--;
	w.source =
	    w.python ? json_text(json_get(e->object, "value"), e->arena) : text;
	w.program.call.language = (enum program_language)scenarios_form(e)->how;
	if (fields_ok(e))
		read_program(e, text, "get_assert", &w.program);
	if (fields_get(e, "threshold") != NULL) {
		*threshold = promptfoo_threshold(e, 0);
		w.threshold = threshold;
	}
	w.changes = read_changes(e);
	c = check_new(e->arena, &program_kind, &w, sizeof w, VIEW_TEXT);
	c.explain = explain;
	return promptfoo_finish(e, c, w.program.call.file);
}

struct check
promptfoo_transformed(struct fields *e, struct check c)
{
	static const struct check_kind kind = { .name = "transformed",
		.find = find_transformed,
		.show = show_transformed,
		.inner = inner_check };
	struct transformed_want w = { .changes = read_changes(e) };
	struct check *inner;

	if ((w.changes.test == NULL && w.changes.own == NULL) ||
	    c.kind == NULL || c.kind == &program_kind)
		return c;
	if (c.kind->ask != NULL)
		promptfoo_undecided(e,
		    STR("the answer is changed by 'transform', and the judge "
			"sees the answer as recorded"));
	if (c.kind->ask != NULL || !(c.needs & VIEW_TEXT))
		return c;
	inner = arena_new(e->arena, struct check);
	*inner = c;
	w.inner = inner;
	c.kind = &kind;
	c.want = memcpy(arena_alloc(e->arena, sizeof w), &w, sizeof w);
	return c;
}

const struct form promptfoo_program_forms[] = {
	FORM("javascript", program, .how = PROGRAM_JAVASCRIPT),
	FORM("python", program, .how = PROGRAM_PYTHON),
	FORM(NULL, NULL),
};
