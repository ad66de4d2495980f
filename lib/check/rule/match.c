/* Decides whether a call is as a rule describes it. */
#include "check/rule/run.h"

#include <math.h>

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
	case REGEX_LIMIT:
		break;
	}
	*lacking = RULE_PATTERN_LIMIT;
	return RULE_MAYBE;
}

/* Searches the text of the subject, and the other forms of a path and of a result. */
static enum rule_fit
matches(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s, const char **lacking)
{
	struct str text;
	enum rule_fit fit;

	run->work += s->value->text.n / 64;
	if (!c->minds_blanks && regex_misses_json(c->regex, s->value->text))
		return RULE_NO;
	text = rule_subject_text(run, c, s);
	fit = search(run, c, text, lacking);
	text = c->is_path ? rule_path_within(run, text) : (struct str){ 0 };
	if (fit == RULE_NO && text.s != NULL)
		fit = search(run, c, text, lacking);
	for (int blank = 0; fit == RULE_NO && blank < 2; blank++) {
		text = rule_result_printed(run, c, s, blank == 1);
		if (text.s != NULL)
			fit = search(run, c, text, lacking);
	}
	return fit;
}

static enum rule_fit
is_within(struct rule_run *run, const struct rule_subject *s, struct str text,
    const struct rule_value *value)
{
	run->work += text.n / 64;
	return rule_text_has(
	    text, rule_text_of(value->json, false, run->arena), s->cut);
}

/* Returns whether the text of the subject has what is looked for. In a text that
 * is cut short, only a find that nothing can undo is sure. */
static enum rule_fit
holds_text(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s, const struct rule_value *value,
    const char **lacking)
{
	enum rule_fit fit;
	bool stays = c->test != RULE_MATCH || c->stays;

	if (s->value == NULL) /* no text, in which nothing is found */
		return s->cut ? RULE_MAYBE : c->negate ? RULE_YES : RULE_NO;
	if (c->test == RULE_WITHIN && value == NULL)
		return RULE_MAYBE;
	if (c->test == RULE_HOLDS)
		fit = rule_said_has(run, s->call, c->pattern) ? RULE_YES
							      : RULE_NO;
	else if (c->test == RULE_MATCH)
		fit = matches(run, c, s, lacking);
	else
		fit = is_within(run, s, rule_subject_text(run, c, s), value);
	if (s->cut && !(fit == RULE_YES && stays))
		fit = RULE_MAYBE;
	return c->negate ? rule_opposite(fit) : fit;
}

/* Returns a value of the rule as the condition's values are. */
static const struct json *
literal(struct rule_run *run, const struct rule_cond *c, const struct json *v)
{
	return c->is_path ? rule_path_value(run, v) : v;
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
		return rule_compare(
		    c->op, v, literal(run, c, c->value), run->arena);
	n = json_double(v);
	return rule_is_in_order(c->op, n < c->number ? -1 : n > c->number);
}

/* Compares the number of members or characters of the value. */
static bool
compare_length(
    struct rule_run *run, const struct rule_cond *c, const struct json *v)
{
	double n;

	if (!json_is(v, JSON_STRING) && !json_is(v, JSON_ARRAY) &&
	    !json_is(v, JSON_OBJECT))
		return c->op == RULE_NE; /* the value has no length */
	n = json_is(v, JSON_STRING)
	    ? (double)str_characters(rule_text_of(v, false, run->arena))
	    : (double)json_count(v);
	return rule_is_in_order(c->op, n < c->number ? -1 : n > c->number);
}

/* Returns whether the value is one of the condition's. */
static bool
is_in(struct rule_run *run, const struct rule_cond *c, const struct json *v)
{
	for (size_t i = 0; i < c->nvalues && v != NULL; i++)
		if (rule_compare(
			RULE_EQ, v, literal(run, c, c->values[i]), run->arena))
			return !c->negate;
	return c->negate;
}

/* Returns whether a comparison holds for the subject, which is recorded as a whole. */
static bool
holds_value(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s, const struct rule_value *value)
{
	const struct json *v = rule_subject_value(run, c, s);

	switch (c->test) {
	case RULE_ABSENT:
		return v == NULL;
	case RULE_IN:
		return is_in(run, c, v);
	case RULE_LENGTH:
		return compare_length(run, c, v);
	case RULE_COMPARE:
		return compare(run, c, v, value);
	case RULE_MATCH:
	case RULE_HOLDS:
	case RULE_WITHIN:
	case RULE_UNSEEN:
	case RULE_FAILED:
	case RULE_RUN:
	case RULE_ROLE:
		break; /* others decide these */
	}
	return false;
}

/* Returns whether the condition holds for the subject. */
static enum rule_fit
holds(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s, const struct rule_value *value,
    const char **why)
{
	if (c->test == RULE_MATCH || c->test == RULE_WITHIN ||
	    c->test == RULE_HOLDS)
		return holds_text(run, c, s, value, why);
	if (s->cut)
		return RULE_MAYBE;
	if (c->test == RULE_UNSEEN)
		return s->value == NULL
		    ? RULE_NO
		    : rule_is_unseen(run, s->value, s->call, why);
	return holds_value(run, c, s, value) ? RULE_YES : RULE_NO;
}

/* Returns whether the condition holds for some of the values to which its path
 * leads. */
static __attribute__((noinline)) enum rule_fit
holds_for_some(struct rule_run *run, const struct rule_cond *c,
    struct rule_subject *s, const struct rule_value *value, const char **why)
{
	const struct json **list;
	size_t n = rule_subjects(run, c, s->call, &list);
	enum rule_fit best = RULE_NO;

	if (s->cut)
		best = RULE_MAYBE; /* the log lacks elements */
	for (size_t i = 0; i < n && best != RULE_YES; i++) {
		s->value = list[i];
		best = rule_most(best, holds(run, c, s, value, why));
	}
	return best;
}

/* Returns that the log cuts short what the condition looks at. */
static const char *
cut_text_of(const struct rule_cond *c)
{
	return c->of == RULE_SAID ? "cut short in the log: a text"
	    : c->of == RULE_RESULT
	    ? "cut short in the log: the result of a call"
	    : "cut short in the log: the arguments of a call";
}

enum rule_fit
rule_cond_holds(struct rule_run *run, const struct rule_cond *c, size_t call,
    const struct rule_value *value, const char **lacking)
{
	struct rule_subject s = { .call = call };
	const char *why = NULL;
	enum rule_fit fit;

	if (c->test == RULE_RUN || c->test == RULE_ROLE) {
		fit = c->test == RULE_RUN
		    ? rule_runs(run, c, call, lacking)
		    : rule_has_role(run, c, call, lacking);
		return c->negate ? rule_opposite(fit) : fit;
	}
	if (c->test == RULE_FAILED) {
		fit = rule_failed(&run->calls.list[call]);
		if (fit == RULE_MAYBE)
			*lacking = "not recorded: whether a call failed";
		return c->negate ? rule_opposite(fit) : fit;
	}
	if (!rule_find_subject(run, c, &s, &why)) {
		*lacking = why;
		return RULE_MAYBE;
	}
	if (s.cut)
		why = cut_text_of(c);
	fit = c->several ? holds_for_some(run, c, &s, value, &why)
			 : holds(run, c, &s, value, &why);
	if (fit == RULE_MAYBE)
		*lacking = why;
	return fit;
}

enum rule_fit
rule_trace_holds(
    struct rule_run *run, const struct rule_cond *c, const char **lacking)
{
	const struct json **list;
	size_t n = rule_trace_subjects(run, c, &list);
	enum rule_fit best = RULE_NO;

	*lacking = c->lacking;
	for (size_t i = 0; i < n && best != RULE_YES; i++) {
		struct rule_subject s = { .value = list[i] };

		best = rule_most(best,
		    list[i] == NULL ? RULE_MAYBE
				    : holds(run, c, &s, NULL, lacking));
	}
	return best;
}

bool
rule_cond_ignores_value(
    struct rule_run *run, const struct rule_cond *c, size_t call, bool *holds)
{
	struct rule_subject s = { .call = call };
	const struct json **list;
	const char *lacking;
	size_t n = 1;

	if (!rule_find_subject(run, c, &s, &lacking) || s.cut ||
	    s.value != NULL)
		return false;
	if (c->several)
		n = rule_subjects(run, c, call, &list);
	for (size_t i = 1; i < n; i++)
		if (list[i] != NULL)
			return false;
	*holds = n > 0 &&
	    (c->test == RULE_COMPARE || c->test == RULE_LENGTH
		    ? c->op == RULE_NE
		    : c->test == RULE_ABSENT || c->negate);
	return true;
}

/* ---- calls ---- */

/* Returns whether it is not recorded if the current call has what the condition, whose
 * variable has no value yet, looks at. */
static bool
may_lack(struct rule_run *run, const struct rule_cond *c, const char **lacking)
{
	struct rule_subject s = { .call = run->at };
	const char *why = NULL;

	if (rule_find_subject(run, c, &s, &why)) {
		if (!s.cut || s.value != NULL)
			return false;
		why = cut_text_of(c);
	}
	*lacking = why;
	return true;
}

/* Binds the variables to the values of the current call. Returns how the call fits. */
static __attribute__((noinline)) enum rule_fit
bind(struct rule_run *run, const struct rule_call *call, struct rule_match *m,
    struct rule_value *values)
{
	enum rule_fit fit = m->fit;
	struct rule_passes passes = { 1, call->chooses };

	for (size_t i = 0; i < call->nconds && fit != RULE_NO; i++)
		if (rule_binds(&call->conds[i]))
			fit = rule_least(fit,
			    rule_bind(
				run, &passes, &call->conds[i], m, values));
	m->wild &= ~m->known;
	if (call->chooses && passes.n > run->choices)
		run->choices = passes.n;
	return run->choice >= passes.n ? RULE_NO : fit;
}

/* Returns whether the current event surely fails the condition, if few instructions tell
 * this: most calls fail such conditions of many rules. */
static inline bool
fails_quickly(struct rule_run *run, const struct rule_cond *c)
{
	const struct trace_call *call;
	double n;

	if (run->at >= run->calls.n || c->variable >= 0)
		return false;
	call = &run->calls.list[run->at];
	if (c->of == RULE_MS && c->test == RULE_COMPARE) {
		n = json_double(call->duration_ms) - c->number;
		return !isnan(n) &&
		    !rule_is_in_order(c->op, n < 0 ? -1 : n > 0);
	}
	if (c->of != RULE_ARGS || c->test != RULE_MATCH || c->negate ||
	    c->minds_blanks || call->args == NULL || run->steps_cut)
		return false;
	run->work += call->args->text.n / 64;
	return regex_misses_json(c->regex, call->args->text);
}

void
rule_test(
    struct rule_run *run, const struct rule_call *call, struct rule_match *m)
{
	enum rule_fit fit = m->fit;
	struct rule_value *values = NULL;

	if (call->nconds == 1 && fails_quickly(run, call->conds)) {
		m->fit = RULE_NO;
		return;
	}
	if (call->binds != 0) {
		m->values = values = rule_values(run, call->binds);
		fit = bind(run, call, m, values);
	}
	for (size_t i = 0; i < call->nconds && fit != RULE_NO; i++) {
		const struct rule_cond *c = &call->conds[i];
		unsigned bit = c->variable < 0 ? 0 : 1U << c->variable;
		bool holds;

		if (values != NULL && rule_binds(c))
			continue;
		if ((bit & ~m->known) != 0) {
			if (may_lack(run, c, &m->lacking))
				fit = rule_least(fit, RULE_MAYBE);
			else if (rule_cond_ignores_value(
				     run, c, run->at, &holds) &&
			    !holds)
				fit = RULE_NO;
			continue;
		}
		fit = rule_least(fit,
		    rule_cond_holds(run, c, run->at,
			bit == 0 ? NULL : &values[c->variable], &m->lacking));
	}
	m->fit = fit;
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
	if (rule_is_cut(run, a, false) || rule_is_cut(run, b, false)) {
		*lacking = "cut short in the log: the arguments of a call";
		return RULE_MAYBE;
	}
	run->work += a->args->text.n / 64;
	if (str_eq(a->args->text, b->args->text) ||
	    json_equal(a->args, b->args))
		return RULE_YES;
	return RULE_NO;
}
