/*
 * The values to which a condition of the current call binds variables: the one that the
 * condition looks at; each in turn of those to which a path with [*] leads; the named
 * groups of each match of a pattern.
 */
#include "check/rule/run.h"

enum { CHOICES_MAX = 10000, PASSES_MAX = 100000 };

/* Rows of values, one for each variable that the condition binds. */
struct rule_choices {
	const struct rule_cond *cond;
	size_t call;
	struct rule_value *values;
	size_t rows, width;
	struct hash_table keys; /* of the rows: each counts once */
	const char *lacking;    /* why there may be more rows; or NULL */
};

/* ---- finding ---- */

static void
add_row(struct rule_run *run, struct rule_choices *o, struct rule_value *row)
{
	struct str keys[RULE_VARIABLES];
	size_t n = o->rows * o->width;

	for (size_t i = 0; i < o->width; i++)
		keys[i] = row[i].key;
	if (!hash_is_new(&o->keys,
		o->width == 1 ? keys[0] : hash_key(run->arena, keys, o->width)))
		return;
	if (o->rows == CHOICES_MAX) {
		o->lacking = "not looked at: more than 10,000 values of a call";
		return;
	}
	for (size_t i = 0; i < o->width; i++)
		*arena_push(run->arena, o->values, n) = row[i];
	o->rows++;
}

static struct rule_value
value_of(struct rule_run *run, const struct json *v)
{
	return (struct rule_value){ v, rule_key(v, run->arena) };
}

/* Adds the groups of each match in the text. A match in which a group takes no part
 * binds nothing. */
static void
add_matches(struct rule_run *run, struct rule_choices *o, struct str text)
{
	const struct rule_cond *c = o->cond;
	struct regex_match m;

	for (size_t at = 0; at <= text.n && o->lacking == NULL;) {
		struct rule_value row[RULE_VARIABLES];
		enum regex_found found =
		    regex_search_from(c->regex, text, at, &m, run->arena);
		size_t i = 0;

		run->work += 1 + text.n / 64;
		if (found == REGEX_LIMIT)
			o->lacking = RULE_PATTERN_LIMIT;
		if (found != REGEX_YES)
			break;
		while (
		    i < o->width && m.groups[c->groups[i].number].s != NULL) {
			row[i] = value_of(run,
			    rule_text_value(
				run->arena, m.groups[c->groups[i].number]));
			i++;
		}
		if (i == o->width)
			add_row(run, o, row);
		at = m.to;
		if (m.to == m.from)
			for (at++; at < text.n && (text.s[at] & 0xc0) == 0x80;)
				at++;
	}
}

/* Adds the values to which the condition binds its variables, in the subject. */
static void
add_values(
    struct rule_run *run, struct rule_choices *o, const struct rule_subject *s)
{
	const struct rule_cond *c = o->cond;
	struct rule_value one;

	if (s->value == NULL)
		return;
	if (c->ngroups == 0) {
		one = value_of(run, rule_subject_value(run, c, s));
		add_row(run, o, &one);
		return;
	}
	add_matches(run, o, rule_subject_text(run, c, s));
	for (int blank = 0; o->rows == 0 && blank < 2; blank++) {
		struct str text = rule_result_printed(run, c, s, blank == 1);

		if (text.s != NULL)
			add_matches(run, o, text);
	}
}

/* Returns the choices that the condition has at the current call, which are found once
 * for all passes through the choices of the call. */
static const struct rule_choices *
choices_of(
    struct rule_run *run, const struct rule_cond *c, struct rule_subject s)
{
	struct rule_choices *o;
	const struct json **list;
	size_t n;

	if (run->nfound > 0 && run->found[0].call != run->at)
		run->nfound = 0;
	for (size_t i = 0; i < run->nfound; i++)
		if (run->found[i].cond == c)
			return &run->found[i];
	o = arena_push(run->arena, run->found, run->nfound);
	*o = (struct rule_choices){ .cond = c, .call = run->at };
	o->width = c->ngroups == 0 ? 1 : c->ngroups;
	o->keys.arena = run->arena;
	if (!c->several) {
		add_values(run, o, &s);
		return o;
	}
	n = rule_subjects(run, c, run->at, &list);
	for (size_t i = 0; i < n; i++) {
		s.value = list[i];
		add_values(run, o, &s);
	}
	return o;
}

/* ---- binding ---- */

/* Returns the number of the variable that a row has at place i. */
static int
variable_at(const struct rule_cond *c, size_t i)
{
	return c->ngroups == 0 ? c->variable : c->groups[i].variable;
}

/* Binds the variables to the row. Returns NO if one of them has another value. */
static enum rule_fit
take(const struct rule_cond *c, struct rule_match *m, struct rule_value *values,
    const struct rule_value *row, size_t width)
{
	for (size_t i = 0; i < width; i++) {
		int v = variable_at(c, i);

		if (m->known & 1U << v && !str_eq(row[i].key, values[v].key))
			return RULE_NO;
		values[v] = row[i];
		m->known |= 1U << v;
	}
	return RULE_YES;
}

/* Notes that the condition's variables have values that are not recorded. */
static enum rule_fit
leave_open(const struct rule_cond *c, struct rule_match *m, const char *lacking)
{
	for (size_t i = 0; i == 0 || i < c->ngroups; i++)
		m->wild |= 1U << variable_at(c, i);
	m->lacking = lacking;
	return RULE_MAYBE; /* the call may have no such value at all */
}

/* Binds the variables to the choice that the pass has. Each condition has a digit of
 * the pass's number. */
static enum rule_fit
take_choice(const struct rule_run *run, struct rule_passes *p,
    struct rule_match *m, struct rule_value *values,
    const struct rule_choices *o)
{
	const struct rule_cond *c = o->cond;
	size_t n = o->rows + (o->lacking != NULL), i;

	if (n == 0)
		return RULE_NO;
	if (p->n > PASSES_MAX / n)
		return leave_open(
		    c, m, "not looked at: too many values of a call");
	i = p->each ? run->choice / p->n % n : 0;
	p->n *= n;
	return i == o->rows
	    ? leave_open(c, m, o->lacking)
	    : take(c, m, values, &o->values[i * o->width], o->width);
}

bool
rule_binds(const struct rule_cond *c)
{
	return c->ngroups != 0 ||
	    (c->variable >= 0 && c->test == RULE_COMPARE && c->op == RULE_EQ);
}

enum rule_fit
rule_bind(struct rule_run *run, struct rule_passes *p,
    const struct rule_cond *c, struct rule_match *m, struct rule_value *values)
{
	struct rule_subject s = { .call = run->at };
	struct rule_value one;
	const char *why = NULL;

	if (!rule_find_subject(run, c, &s, &why) || s.cut)
		return leave_open(c, m, why);
	if (c->several || c->ngroups != 0)
		return take_choice(run, p, m, values, choices_of(run, c, s));
	one.json = rule_subject_value(run, c, &s);
	if (one.json == NULL)
		return RULE_NO;
	one.key = rule_key(one.json, run->arena);
	return take(c, m, values, &one, 1);
}
