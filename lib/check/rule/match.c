/* Decides whether a call is as a rule describes it. */
#include "check/rule/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static void put_key(struct out *, const struct json *, struct arena *);

static void
put_number(struct out *o, const struct json *v)
{
	double n = json_double(v);

	out_printf(o, "n%.17g", n == 0 ? 0 : n); /* -0 is 0 */
}

/* A member for sorting: of equal names the last counts. */
struct named {
	struct str name;
	const struct json *value;
};

static int
by_name(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int c = str_cmp(a->name, b->name);

	if (c != 0)
		return c;
	return a->value < b->value ? -1 : a->value > b->value;
}

static void
put_members(struct out *o, const struct json *v, struct arena *a)
{
	struct named *list = arena_new_n(a, struct named, json_count(v));
	size_t n = 0;

	for (json_members(key, v))
		list[n++] =
		    (struct named){ json_text(key, a), json_value(key) };
	qsort(list, n, sizeof *list, by_name);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && str_eq(list[i].name, list[i + 1].name))
			continue;
		out_printf(o, "m%zu:", list[i].name.n);
		out_str(o, list[i].name);
		put_key(o, list[i].value, a);
	}
}

static void
put_key(struct out *o, const struct json *v, struct arena *a)
{
	struct str text;

	switch (v->type) {
	case JSON_STRING:
		text = json_text(v, a);
		out_printf(o, "s%zu:", text.n);
		out_str(o, text);
		break;
	case JSON_NUMBER:
		put_number(o, v);
		break;
	case JSON_ARRAY:
		out_char(o, '[');
		for (json_each(item, v))
			put_key(o, item, a);
		out_char(o, ']');
		break;
	case JSON_OBJECT:
		out_char(o, '{');
		put_members(o, v, a);
		out_char(o, '}');
		break;
	default:
		out_str(o, v->text);
	}
}

struct str
rule_key(const struct json *v, struct arena *a)
{
	struct out o;

	if (json_is(v, JSON_STRING) && !(v->flags & JSON_ESCAPED))
		return str_slice(v->text, 0, v->text.n - 1); /* "text */
	out_open_memory(&o);
	if (json_is(v, JSON_STRING)) {
		out_char(&o, '"');
		out_str(&o, json_text(v, a));
	} else {
		put_key(&o, v, a);
	}
	return out_keep(&o, a);
}

/* The decoded texts of a value, which need no more room than its source. */
struct texts {
	struct arena *arena;
	char *at;
	bool any;
};

static void
put_scalar(struct texts *t, const struct json *v)
{
	struct str text =
	    v->type == JSON_STRING ? json_text(v, t->arena) : v->text;

	if (t->any)
		*t->at++ = '\n';
	t->any = true;
	if (text.n != 0)
		t->at = str_put(t->at, text.s, text.n);
}

static void
put_texts(struct texts *t, const struct json *v, bool keys)
{
	if (v->type == JSON_ARRAY) {
		for (json_each(item, v))
			put_texts(t, item, keys);
	} else if (v->type == JSON_OBJECT) {
		for (json_members(key, v)) {
			if (keys)
				put_scalar(t, key);
			put_texts(t, json_value(key), keys);
		}
	} else {
		put_scalar(t, v);
	}
}

struct str
rule_text_of(const struct json *v, bool keys, struct arena *a)
{
	struct texts t = { .arena = a };
	char *room;

	if (v->type == JSON_STRING)
		return json_text(v, a);
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
		return v->text;
	t.at = room = arena_room(a, v->text.n);
	put_texts(&t, v, keys);
	return (struct str){ room, (size_t)(t.at - room) };
}

/* Returns the texts of a list of parts; absent if none has a text. */
static struct str
text_of_parts(const struct json *list, struct arena *a)
{
	struct str *parts = NULL;
	size_t n = 0;

	for (json_each(part, list)) {
		const struct json *text = json_get(part, "text");

		if (json_is(text, JSON_STRING))
			*arena_push(a, parts, n) = json_text(text, a);
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, parts, n, STR("\n"));
}

struct str
rule_result_text(const struct json *result, struct arena *a)
{
	struct str text;

	if (json_is(result, JSON_STRING))
		return json_text(result, a);
	text = text_of_parts(
	    json_is(result, JSON_ARRAY) ? result : json_get(result, "content"),
	    a);
	return text.s != NULL ? text : result->text;
}

/* Returns the number of a value: also of a text that is a number, since some
 * agents write amounts as texts. */
static bool
number_of(const struct json *v, double *n, struct arena *a)
{
	struct json_reader reader = { 0 };
	const struct json *read;

	if (json_is(v, JSON_NUMBER)) {
		*n = json_double(v);
		return true;
	}
	if (!json_is(v, JSON_STRING))
		return false;
	read = json_read(&reader, json_text(v, a), NULL, NULL);
	*n = json_double(read);
	json_reader_free(&reader);
	return *n == *n;
}

static bool
is_in_order(enum rule_op op, int c)
{
	switch (op) {
	case RULE_LT:
		return c < 0;
	case RULE_LE:
		return c <= 0;
	case RULE_GT:
		return c > 0;
	case RULE_GE:
		return c >= 0;
	case RULE_EQ:
		return c == 0;
	default:
		return c != 0;
	}
}

bool
rule_compare(enum rule_op op, const struct json *v, const struct json *w,
    struct arena *a)
{
	double x, y;

	if (op == RULE_EQ || op == RULE_NE)
		return (v != NULL && json_equal(v, w)) == (op == RULE_EQ);
	if ((json_is(v, JSON_NUMBER) || json_is(w, JSON_NUMBER)) &&
	    number_of(v, &x, a) && number_of(w, &y, a))
		return is_in_order(op, x < y ? -1 : x > y);
	if (json_is(v, JSON_STRING) && json_is(w, JSON_STRING))
		return is_in_order(
		    op, str_cmp(json_text(v, a), json_text(w, a)));
	return false;
}

/* ---- what a condition is about ---- */

enum rule_fit
rule_failed(const struct trace_call *call)
{
	const struct json *failed = call->is_error;

	if (failed == NULL)
		failed = json_get(call->result, "isError");
	if (json_is(failed, JSON_TRUE))
		return RULE_YES;
	return json_is(failed, JSON_FALSE) ? RULE_NO : RULE_MAYBE;
}

static const struct json *
follow(const struct rule_cond *c, const struct json *v)
{
	for (size_t i = 0; i < c->nsteps && v != NULL; i++)
		v = c->path[i].name.s == NULL ? json_at(v, c->path[i].index)
					      : json_get(v, c->path[i].name);
	return v;
}

static struct rule_texts *
texts_of(struct rule_run *run, size_t call)
{
	if (run->texts == NULL)
		run->texts =
		    arena_new_n(run->arena, struct rule_texts, run->calls.n);
	return &run->texts[call];
}

/* The value that a condition looks at. */
struct subject {
	const struct json *value; /* NULL: the call has none */
	bool cut;                 /* the log cut it short */
	size_t call;
};

/* Returns the text of the subject; empty if there is none. */
static struct str
text_of(
    struct rule_run *run, const struct rule_cond *c, const struct subject *s)
{
	struct str *kept;

	if (s->value == NULL)
		return STR("");
	if (c->of == RULE_ARG)
		return rule_text_of(s->value, false, run->arena);
	kept = c->of == RULE_ARGS ? &texts_of(run, s->call)->args
				  : &texts_of(run, s->call)->result;
	if (kept->s == NULL)
		*kept = c->of == RULE_ARGS
		    ? rule_text_of(s->value, false, run->arena)
		    : rule_result_text(s->value, run->arena);
	return *kept;
}

/* Returns the result as a value to compare: one that has a text as that
 * text. */
static const struct json *
result_value(struct rule_run *run, const struct subject *s)
{
	struct json_reader reader = { 0 };
	const struct json *v = s->value;
	struct str text;

	if (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_OBJECT))
		return v;
	text = rule_result_text(v, run->arena);
	if (text.s == v->text.s)
		return v;
	v = json_keep(run->arena,
	    json_read(&reader, out_quote(run->arena, text), NULL, NULL));
	json_reader_free(&reader);
	return v;
}

static bool
is_cut(struct rule_run *run, const struct trace_call *call, bool result)
{
	if (!run->steps_cut || call->step == NULL)
		return false;
	if (trace_step_cut(call->step, result ? STR("result") : STR("args")))
		return true;
	return result && run->view->unmarked &&
	    json_is(call->result, JSON_STRING) &&
	    str_ends(json_raw(call->result), "...");
}

/* Finds the subject. Returns false, with *lacking, if it is not recorded. */
static bool
find_subject(struct rule_run *run, const struct rule_cond *c, struct subject *s,
    const char **lacking)
{
	const struct trace_call *call = &run->calls.list[s->call];

	switch (c->of) {
	case RULE_RESULT:
		*lacking = "not recorded: the result of a call";
		s->value = call->result;
		s->cut = is_cut(run, call, true);
		return s->value != NULL;
	case RULE_MS:
		*lacking = "not recorded: the duration of a call";
		s->value = call->duration_ms;
		return json_is(s->value, JSON_NUMBER);
	default:
		*lacking = "not recorded: the arguments of a call";
		s->cut = is_cut(run, call, false);
		if (call->args == NULL)
			return false;
		s->value =
		    c->of == RULE_ARGS ? call->args : follow(c, call->args);
		return true;
	}
}

/* ---- conditions ---- */

static enum rule_fit
search(struct rule_run *run, const struct rule_cond *c, struct str text,
    const char **lacking)
{
	run->work += text.n / 64;
	switch (regex_search(c->regex, text, NULL, run->arena)) {
	case REGEX_YES:
		return RULE_YES;
	case REGEX_NO:
		return RULE_NO;
	default:
		*lacking = "no verdict within the step limit of a pattern";
		return RULE_MAYBE;
	}
}

/* Returns whether the text of the subject has what is looked for. In a text that
 * is cut short, only a find that nothing can undo is sure. */
static enum rule_fit
holds_text(struct rule_run *run, const struct rule_cond *c,
    const struct subject *s, const struct rule_value *value,
    const char **lacking)
{
	struct str text;
	enum rule_fit fit;
	bool stays = c->test == RULE_WITHIN || c->stays;

	if (s->value == NULL) /* no text, in which nothing is found */
		return s->cut ? RULE_MAYBE : c->negate ? RULE_YES : RULE_NO;
	if (c->test == RULE_WITHIN && value == NULL)
		return RULE_MAYBE;
	text = text_of(run, c, s);
	if (c->test == RULE_MATCH) {
		fit = search(run, c, text, lacking);
	} else {
		run->work += text.n / 64;
		fit = str_contains(
			  text, rule_text_of(value->json, false, run->arena))
		    ? RULE_YES
		    : RULE_NO;
	}
	if (s->cut && !(fit == RULE_YES && stays))
		fit = RULE_MAYBE;
	return c->negate ? rule_opposite(fit) : fit;
}

/* Returns whether the value compares as the condition demands: with the variable's
 * value or, if that is NULL, with the condition's own. */
static bool
compare(struct rule_run *run, const struct rule_cond *c, const struct json *v,
    const struct rule_value *value)
{
	double n;

	if (value != NULL)
		return rule_compare(c->op, v, value->json, run->arena);
	if (!json_is(v, JSON_NUMBER) || isnan(c->number))
		return rule_compare(c->op, v, c->value, run->arena);
	n = json_double(v);
	return is_in_order(c->op, n < c->number ? -1 : n > c->number);
}

enum rule_fit
rule_cond_holds(struct rule_run *run, const struct rule_cond *c, size_t call,
    const struct rule_value *value, const char **lacking)
{
	struct subject s = { .call = call };
	const char *why = NULL;
	enum rule_fit fit;

	if (c->test == RULE_FAILED) {
		fit = rule_failed(&run->calls.list[call]);
		if (fit == RULE_MAYBE)
			*lacking = "not recorded: whether a call failed";
		return c->negate ? rule_opposite(fit) : fit;
	}
	if (!find_subject(run, c, &s, &why)) {
		*lacking = why;
		return RULE_MAYBE;
	}
	if (s.cut)
		why = c->of == RULE_RESULT
		    ? "cut short in the log: the result of a call"
		    : "cut short in the log: the arguments of a call";
	if (c->test == RULE_MATCH || c->test == RULE_WITHIN) {
		fit = holds_text(run, c, &s, value, &why);
	} else if (s.cut) {
		fit = RULE_MAYBE;
	} else if (c->test == RULE_UNSEEN) {
		fit = s.value == NULL
		    ? RULE_NO
		    : rule_is_unseen(run, s.value, call, &why);
	} else {
		const struct json *v =
		    c->of == RULE_RESULT ? result_value(run, &s) : s.value;

		fit = compare(run, c, v, value) ? RULE_YES : RULE_NO;
	}
	if (fit == RULE_MAYBE)
		*lacking = why;
	return fit;
}

bool
rule_cond_ignores_value(
    struct rule_run *run, const struct rule_cond *c, size_t call, bool *holds)
{
	struct subject s = { .call = call };
	const char *lacking;

	if (!find_subject(run, c, &s, &lacking) || s.cut || s.value != NULL)
		return false;
	*holds = c->test == RULE_COMPARE ? c->op == RULE_NE : c->negate;
	return true;
}

/* ---- calls ---- */

/* Binds the condition's variable to the value of the current call. Returns NO if
 * the call has no such value, or the variable another one; MAYBE if the log
 * lacks the value. */
static enum rule_fit
bind(struct rule_run *run, const struct rule_cond *c, struct rule_match *m,
    struct rule_value *values)
{
	unsigned bit = 1U << c->variable;
	struct subject s = { .call = run->at };
	const char *why = NULL;
	struct str key;

	if (!find_subject(run, c, &s, &why) || s.cut) {
		m->wild |= bit;
		m->lacking = why;
		return RULE_MAYBE; /* it may have no such value at all */
	}
	if (c->of == RULE_RESULT)
		s.value = result_value(run, &s);
	if (s.value == NULL)
		return RULE_NO;
	key = rule_key(s.value, run->arena);
	if (m->known & bit)
		return str_eq(key, values[c->variable].key) ? RULE_YES
							    : RULE_NO;
	values[c->variable] = (struct rule_value){ s.value, key };
	m->known |= bit;
	return RULE_YES;
}

static bool
is_binding(const struct rule_cond *c)
{
	return c->variable >= 0 && c->test == RULE_COMPARE && c->op == RULE_EQ;
}

/* Tests the conditions that need no other call. */
static enum rule_fit
test(struct rule_run *run, const struct rule_call *call, struct rule_match *m,
    struct rule_value *values)
{
	enum rule_fit fit = m->fit;

	for (size_t i = 0; i < call->nconds && fit != RULE_NO; i++)
		if (values != NULL && is_binding(&call->conds[i]))
			fit = rule_least(
			    fit, bind(run, &call->conds[i], m, values));
	m->wild &= ~m->known;
	for (size_t i = 0; i < call->nconds && fit != RULE_NO; i++) {
		const struct rule_cond *c = &call->conds[i];
		unsigned bit = c->variable < 0 ? 0 : 1U << c->variable;
		bool holds;

		if (is_binding(c))
			continue;
		if ((bit & ~m->known) != 0) {
			if (rule_cond_ignores_value(run, c, run->at, &holds) &&
			    !holds)
				fit = RULE_NO;
			continue;
		}
		fit = rule_least(fit,
		    rule_cond_holds(run, c, run->at,
			bit == 0 ? NULL : &values[c->variable], &m->lacking));
	}
	return fit;
}

struct rule_match
rule_match_call(struct rule_run *run, const struct rule_name *name,
    const struct rule_call *call)
{
	struct rule_match m = { .fit = rule_name_fits(name, call) };
	struct rule_value *values = NULL;

	if (m.fit == RULE_NO)
		return m;
	run->work++;
	if (m.fit == RULE_MAYBE)
		m.lacking = "not recorded: the server of a call";
	if (call->nconds == 0)
		return m;
	if (call->binds != 0)
		m.values = values =
		    arena_new_n(run->arena, struct rule_value, RULE_VARIABLES);
	m.fit = test(run, call, &m, values);
	return m;
}

/* ---- identical calls ---- */

enum rule_fit
rule_identical(
    struct rule_run *run, size_t one, size_t other, const char **lacking)
{
	const struct trace_call *a = &run->calls.list[one];
	const struct trace_call *b = &run->calls.list[other];

	if (!str_eq(a->tool, b->tool) || !str_eq(a->server, b->server))
		return RULE_NO;
	if (a->args == NULL || b->args == NULL) {
		*lacking = "not recorded: the arguments of a call";
		return RULE_MAYBE;
	}
	if (is_cut(run, a, false) || is_cut(run, b, false)) {
		*lacking = "cut short in the log: the arguments of a call";
		return RULE_MAYBE;
	}
	run->work += a->args->text.n / 64;
	if (str_eq(a->args->text, b->args->text) ||
	    json_equal(a->args, b->args))
		return RULE_YES;
	return RULE_NO;
}
