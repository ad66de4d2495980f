/* Arithmetical expressions of the scores of checks. */
#include <math.h>

#include "base/ascii.h"
#include "check/kind/kind.h"

/* ---- expressions ---- */

enum { DEEPEST = 100 };

struct formula {
	struct arena *arena;
	struct str rest;
	bool (*named)(struct str name, double *value, void *arg);
	void *arg;
	size_t depth;
	struct str why;
};

static double sum(struct formula *);

static double
fault(struct formula *f, const char *what, struct str text)
{
	if (f->why.s == NULL)
		f->why = text.n == 0
		    ? str_printf(f->arena, "%s at the end", what)
		    : str_printf(f->arena, "%s at '%.*s'", what, STR_FMT(text));
	f->rest.n = 0;
	return 0;
}

/* Takes the sign if it comes next. */
static bool
take(struct formula *f, const char *sign)
{
	f->rest = str_trim(f->rest);
	if (!str_starts(f->rest, str_of(sign)))
		return false;
	f->rest = str_from(f->rest, strlen(sign));
	return true;
}

/* Like fmax and fmin, but what is no number remains none. */
static double
larger(double x, double y)
{
	return x > y || isnan(x) ? x : y;
}

static double
smaller(double x, double y)
{
	return x < y || isnan(x) ? x : y;
}

static double
call(struct formula *f, struct str name)
{
	static const struct {
		const char *name;
		double (*one)(double);
		double (*fold)(double, double);
	} rows[] = {
		{ "abs", fabs, NULL },
		{ "ceil", ceil, NULL },
		{ "exp", exp, NULL },
		{ "floor", floor, NULL },
		{ "log", log, NULL },
		{ "max", NULL, larger },
		{ "min", NULL, smaller },
		{ "sqrt", sqrt, NULL },
	};
	double value = sum(f);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (!str_is(name, rows[i].name))
			continue;
		while (rows[i].fold != NULL && take(f, ","))
			value = rows[i].fold(value, sum(f));
		if (!take(f, ")"))
			return fault(f, "expected ')'", f->rest);
		return rows[i].one == NULL ? value : rows[i].one(value);
	}
	return fault(f, "unknown function", name);
}

static double
word(struct formula *f)
{
	struct str name;
	double value = 0;
	size_t n = 0;

	while (n < f->rest.n &&
	    (f->rest.s[n] == '_' || ascii_is_alnum(f->rest.s[n])))
		n++;
	name = str_slice(f->rest, 0, n);
	if (n == 0)
		return fault(f, "expected a number, a name or '('", f->rest);
	f->rest = str_from(f->rest, n);
	if (take(f, "("))
		return call(f, name);
	if (!f->named(name, &value, f->arg))
		return fault(f, "unknown name", name);
	return value;
}

static double
number(struct formula *f)
{
	struct json v = { .type = JSON_NUMBER };
	size_t n = 0;

	while (n < f->rest.n &&
	    (f->rest.s[n] == '.' || ascii_is_digit(f->rest.s[n])))
		n++;
	v.text = str_cat(f->arena, STR("0"), str_slice(f->rest, 0, n));
	if (str_count_char(v.text, '.') > 1)
		return fault(f, "expected a number", f->rest);
	f->rest = str_from(f->rest, n);
	return json_double(&v);
}

static double
operand(struct formula *f)
{
	double value;

	f->rest = str_trim(f->rest);
	if (take(f, "(")) {
		value = sum(f);
		return take(f, ")") ? value : fault(f, "expected ')'", f->rest);
	}
	if (f->rest.n != 0 &&
	    (f->rest.s[0] == '.' || ascii_is_digit(f->rest.s[0])))
		return number(f);
	return word(f);
}

/* A power binds closer than the sign before it, and from the right. */
static double
power(struct formula *f)
{
	double value;

	if (f->depth == DEEPEST)
		return fault(f, "too deep", f->rest);
	f->depth++;
	if (take(f, "-"))
		value = -power(f);
	else if (take(f, "+"))
		value = power(f);
	else {
		value = operand(f);
		if (take(f, "**") || take(f, "^"))
			value = pow(value, power(f));
	}
	f->depth--;
	return value;
}

static double
product(struct formula *f)
{
	double value = power(f);

	for (;;)
		if (take(f, "*"))
			value *= power(f);
		else if (take(f, "/"))
			value /= power(f);
		else
			return value;
}

static double
sum(struct formula *f)
{
	double value = product(f);

	for (;;)
		if (take(f, "+"))
			value += product(f);
		else if (take(f, "-"))
			value -= product(f);
		else
			return value;
}

struct str
formula_value(struct arena *a, struct str text,
    bool (*named)(struct str name, double *value, void *arg), void *arg,
    double *value)
{
	struct formula f = {
		.arena = a, .rest = text, .named = named, .arg = arg
	};

	*value = sum(&f);
	f.rest = str_trim(f.rest);
	if (f.why.s == NULL && f.rest.n != 0)
		(void)fault(&f, "expected an operator", f.rest);
	return f.why;
}

/* ---- the kind ---- */

struct scores {
	const struct formula_want *want;
	struct view *view;
	struct str why; /* why a score is not known */
	bool open;
};

static bool
score_of(struct str name, double *value, void *arg)
{
	struct scores *s = arg;

	for (size_t i = 0; i < s->want->n; i++) {
		const struct formula_part *p = &s->want->parts[i];
		struct finding f;

		if (!str_eq(name, p->name))
			continue;
		f = p->check->kind->find(p->check->want, s->view);
		s->open |= f.open;
		if (!f.graded && f.found != FOUND_CANNOT && s->why.s == NULL)
			s->why = f.why.s == NULL || f.found == FOUND_PENDING
			    ? STR("a judge decides it")
			    : f.why;
		*value = f.graded ? f.share : 0;
		return true;
	}
	return false;
}

static struct finding
formula_find(const void *want, struct view *v)
{
	const struct formula_want *w = want;
	struct scores s = { .want = w, .view = v };
	struct finding f = { .found = FOUND_SKIP };
	double value;

	f.why = formula_value(v->arena, w->formula, score_of, &s, &value);
	if (f.why.s != NULL) {
		f.found = FOUND_ERROR;
	} else if (s.why.s != NULL) {
		f.why = str_printf(v->arena,
		    "a grader of the formula is not decided here: %.*s",
		    STR_FMT(s.why));
	} else if (!isfinite(value)) {
		f.found = FOUND_ERROR;
		f.why = STR("the formula has no value for these scores");
	} else {
		f = grader_finding(
		    (struct metric_range){ value, value }, w->least, v);
		f.open = s.open;
	}
	return f;
}

static void
formula_show(const void *want, struct out *o)
{
	const struct formula_want *w = want;

	out_member_str(o, "formula", w->formula);
	out_member_begin(o, "scores", '[');
	for (size_t i = 0; i < w->n; i++) {
		out_begin(o, '{');
		out_member_str(o, "name", w->parts[i].name);
		out_key(o, "check");
		check_show(o, w->parts[i].check);
		out_end(o, '}');
	}
	out_end(o, ']');
	if (w->least != NULL)
		out_member_double(o, "least", *w->least);
}

struct check
formula_check(struct arena *a, const struct formula_want *want)
{
	static const struct check_kind kind = {
		.name = "formula", .find = formula_find, .show = formula_show
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
