/*
 * Calls in rules: names, conditions and variables.
 *
 * A variable $x belongs to its claim. A condition `ARG = $x` (also of @args and
 * @result) binds $x, in whichever call of the claim; two that bind the same $x
 * must have equal values. Every other condition (~, !~, !=, <, ...) reads the
 * value, also if the call that binds $x comes later in the run. So each $x needs
 * a `=` in its claim, and a second place.
 */
#include "check/rule/parse.h"
#include "check/rule/roles.h"

/* ---- conditions ---- */

static bool
take_index(struct rules_parser *p, struct rule_step *step)
{
	size_t n = 0, digits = 0;

	if (p->at >= p->line.n || p->line.s[p->at] != '[')
		return false;
	p->at++;
	if (rules_take_sign(p, "*")) {
		step->any = true;
		digits = 1;
	}
	while (p->at < p->line.n && p->line.s[p->at] >= '0' &&
	    p->line.s[p->at] <= '9' && digits++ < 9)
		n = n * 10 + (size_t)(p->line.s[p->at++] - '0');
	step->index = n;
	if (digits == 0 || !rules_take_sign(p, "]"))
		rules_expected(p, "an index or *, and ']'", RULES_NOWHERE);
	return true;
}

/* Returns the arguments for which the call's roles let the name stand. */
static struct str_list
arguments_of(struct rules_parser *p, struct str name)
{
	struct str_list all = { 0 };

	for (size_t i = 0; i < p->nroles; i++) {
		struct str_list more = rule_role_arguments(p->roles[i], name);

		for (size_t k = 0; k < more.n; k++)
			str_list_add(p->arena, &all, more.list[k]);
	}
	return all;
}

/* Parses a path, whose first name (absent: none) was read. */
static void
path(struct rules_parser *p, struct rule_cond *c, struct str first)
{
	struct rule_step *steps = NULL, step = { 0 };
	size_t n = 0;

	if (first.s != NULL) {
		step.name = first;
		*arena_push(p->arena, steps, n) = step;
	}
	while (rules_ok(p) && p->at < p->line.n) {
		step = (struct rule_step){ 0 };
		if (p->line.s[p->at] == '.') {
			p->at++;
			step.name = rules_path(p);
		} else if (!take_index(p, &step)) {
			break;
		}
		*arena_push(p->arena, steps, n) = step;
	}
	c->path = steps;
	c->nsteps = n;
	for (size_t i = 0; i < n; i++)
		c->several |= steps[i].any;
}

/* Parses the path of an argument. */
static void
argument(struct rules_parser *p, struct rule_cond *c)
{
	struct str first = rules_path(p);

	path(p, c, first);
	c->of = RULE_ARG;
	c->arguments = arguments_of(p, first);
	c->roles = p->roles;
	c->nroles = p->nroles;
	c->is_path = c->arguments.n > 0 && str_is(first, "path");
	for (size_t i = 0; i < c->arguments.n; i++)
		c->several |= str_is(c->arguments.list[i], "@patch");
}

struct rule_cond
rules_argument(struct rules_parser *p)
{
	struct rule_cond c = { .variable = -1 };
	size_t from = rules_start(p);

	argument(p, &c);
	c.written = rules_written(p, from);
	return c;
}

void
rules_paths(struct rules_parser *p, struct rule_claim *claim)
{
	struct rule_cond *list = NULL;
	size_t n = 0;

	do {
		struct rule_cond c = rules_argument(p);
		struct str_list names = c.arguments;

		if (names.n == 0)
			*arena_push(p->arena, list, n) = c;
		for (size_t i = 0; i < names.n; i++) {
			struct rule_step *steps =
			    arena_new_n(p->arena, struct rule_step, c.nsteps);

			memcpy(steps, c.path, c.nsteps * sizeof *steps);
			steps[0].name = names.list[i];
			*arena_push(p->arena, list, n) = c;
			list[n - 1].path = steps;
		}
	} while (rules_ok(p) && rules_take_sign(p, ","));
	if (n > RULE_IGNORED_MAX)
		rules_mistake(p, p->at, "more than %d arguments are ignored",
		    RULE_IGNORED_MAX);
	claim->ignored = list;
	claim->nignored = n;
}

/* Takes the word result, behind which a path may stand. */
static bool
takes_result(struct rules_parser *p)
{
	struct str word = rules_peek_word(p);

	if (!str_is(word, "result") && !str_starts(word, "result."))
		return false;
	p->at += strlen("result");
	return true;
}

/* Parses what a condition is about; @error is a whole condition. */
static void
subject(struct rules_parser *p, struct rule_cond *c)
{
	if (!rules_take_sign(p, "@")) {
		argument(p, c);
		return;
	}
	if (rules_take_word(p, "args"))
		c->of = RULE_ARGS;
	else if (takes_result(p))
		path(p, c, (struct str){ 0 }), c->of = RULE_RESULT;
	else if (rules_take_word(p, "tool"))
		c->of = RULE_TOOL;
	else if (rules_take_word(p, "agent"))
		c->of = RULE_AGENT;
	else if (rules_take_word(p, "ms"))
		c->of = RULE_MS;
	else if (rules_take_word(p, "error"))
		c->test = RULE_FAILED;
	else
		rules_expected(p,
		    "args, result, ms, error, tool or agent behind @",
		    RULES_AT_SIGN);
}

/* Returns whether a match of the pattern may have a sign of JSON or white space in it,
 * or be tied to an end of the text. */
static bool
minds_blanks(struct str pattern)
{
	for (size_t i = 0; i < pattern.n; i++) {
		char c = pattern.s[i];

		if (c == '\\' && i + 1 < pattern.n &&
		    str_find_char(STR("dwb-_/"), pattern.s[i + 1]) < 6)
			i++;
		else if ((!rules_is_of_name(c) || c == '.' || c == ':') &&
		    str_find_char(STR("|()+*?<>@"), c) == 9)
			return true;
	}
	return false;
}

void
rules_match(struct rules_parser *p, struct rule_cond *c)
{
	struct rules_regex r;

	if (rules_peek(p) == '$') {
		c->test = RULE_WITHIN;
		c->variable = rules_variable(p);
		return;
	}
	if (rules_peek(p) != '/') {
		rules_expected(
		    p, "a pattern between slashes or $name", RULES_NOWHERE);
		return;
	}
	r = rules_regex(p);
	c->test = RULE_MATCH;
	c->regex = r.regex;
	c->pattern = r.pattern;
	c->caseless = r.caseless;
	c->stays = r.stays;
	c->minds_blanks = c->of == RULE_RESULT && minds_blanks(r.pattern);
	if (!c->negate && rules_ok(p))
		rules_captures(p, c);
}

/* Returns whether the text begins with a slash and has another one before the
 * condition ends, with an i behind it or not. */
static bool
is_like_pattern(struct str rest)
{
	size_t n = str_find_char(str_from(rest, 1), '/') + 2;

	if (n > rest.n)
		return false;
	if (n < rest.n && rest.s[n] == 'i')
		n++;
	return n == rest.n || str_find_char(STR(" ,)"), rest.s[n]) < 3;
}

static void
compare(struct rules_parser *p, struct rule_cond *c)
{
	size_t at;

	c->test = RULE_COMPARE;
	if (rules_peek(p) == '$') {
		c->variable = rules_variable(p);
		return;
	}
	at = p->at;
	if (rules_peek(p) == '/' && c->op <= RULE_NE &&
	    is_like_pattern(str_from(p->line, p->at)))
		rules_mistake(p, at,
		    "a pattern is compared by ~ (a text that looks like one is "
		    "written in quotes)");
	c->value = rules_compared(p, c->op);
	c->number = json_double(c->value);
	if (c->of == RULE_MS && !json_is(c->value, JSON_NUMBER))
		rules_mistake(
		    p, at, "expected a number of milliseconds behind @ms");
}

/* Parses a list of values in brackets. */
static void
in_list(struct rules_parser *p, struct rule_cond *c)
{
	c->test = RULE_IN;
	if (!rules_take_sign(p, "("))
		rules_expected(p, "'(' behind in", RULES_NOWHERE);
	do
		*arena_push(p->arena, c->values, c->nvalues) = rules_scalar(p);
	while (rules_ok(p) && rules_take_sign(p, ","));
	if (rules_ok(p) && !rules_take_sign(p, ")"))
		rules_expected(p, "',' or ')'", RULES_NOWHERE);
}

/* Parses what follows the subject. @ms and a length have no text. */
static void
predicate(struct rules_parser *p, struct rule_cond *c)
{
	bool text = c->of != RULE_MS && c->test != RULE_LENGTH;

	if (text && rules_take_sign(p, "!~")) {
		c->negate = true;
		rules_match(p, c);
	} else if (text && rules_take_sign(p, "~")) {
		rules_match(p, c);
	} else if (text && rules_take_word(p, "absent")) {
		c->test = RULE_ABSENT;
	} else if (text && rules_take_word(p, "in")) {
		in_list(p, c);
	} else if (text && rules_take_sign(p, "!in")) {
		c->negate = true;
		in_list(p, c);
	} else if (c->test == RULE_LENGTH && rules_op(p, &c->op)) {
		c->number = rules_number(p, RULES_WHOLE);
	} else if (rules_op(p, &c->op)) {
		compare(p, c);
	} else if (c->of == RULE_ARG && rules_take_word(p, "unseen")) {
		c->test = RULE_UNSEEN;
	} else {
		rules_expected(p,
		    text && c->of == RULE_ARG
			? "an operator (= != < <= > >= ~ !~) or unseen behind "
			  "an argument's name"
			: text ? "an operator (= != < <= > >= ~ !~)"
			       : "an operator (= != < <= > >=)",
		    c->of == RULE_ARG ? RULES_OF_VALUE : RULES_NOWHERE);
	}
}

/* Parses a subject, or len(SUBJECT). An argument may have the name len. */
static void
length_or_subject(struct rules_parser *p, struct rule_cond *c)
{
	size_t at = p->at;

	if (!rules_take_word(p, "len") || !rules_take_sign(p, "(")) {
		p->at = at;
		subject(p, c);
		return;
	}
	rules_peek(p);
	subject(p, c);
	if (rules_ok(p) && (c->test == RULE_FAILED || c->of == RULE_MS))
		rules_mistake(p, at, "expected a value that has a length");
	c->test = RULE_LENGTH;
	if (rules_ok(p) && !rules_take_sign(p, ")"))
		rules_expected(p, "')'", RULES_NOWHERE);
}

static struct rule_cond
condition(struct rules_parser *p)
{
	struct rule_cond c = { .variable = -1 };
	size_t from = rules_start(p);

	if (p->at < p->line.n && p->line.s[p->at] == '!') {
		p->at++;
		c.negate = true;
		if (!rules_take_sign(p, "@error"))
			rules_expected(p, "@error behind !", RULES_NOWHERE);
		c.test = RULE_FAILED;
	} else {
		length_or_subject(p, &c);
		if (c.test != RULE_FAILED)
			predicate(p, &c);
	}
	c.written = rules_written(p, from);
	return c;
}

bool
rules_is_trace(struct rules_parser *p)
{
	size_t at = p->at;
	enum rule_op op;
	bool is = str_starts(rules_peek_word(p), "trace.");

	while (is && p->at < p->line.n &&
	    (rules_is_of_name(p->line.s[p->at]) ||
		str_find_char(STR("[]*\""), p->line.s[p->at]) < 4))
		p->at++;
	is = is &&
	    (rules_take_sign(p, "!~") || rules_take_sign(p, "~") ||
		rules_take_sign(p, "!in") || rules_take_word(p, "in") ||
		rules_op(p, &op));
	p->at = at;
	return is;
}

struct rule_cond
rules_trace(struct rules_parser *p)
{
	struct rule_cond c = { .variable = -1 };
	size_t from = rules_start(p);

	p->at += strlen("trace");
	path(p, &c, (struct str){ 0 });
	c.lacking = str_c(p->arena,
	    str_cat(p->arena, STR("not recorded: "), rules_written(p, from)));
	predicate(p, &c);
	if (rules_ok(p) && c.variable >= 0)
		rules_mistake(p, from, "expected a value, found a variable");
	c.written = rules_written(p, from);
	return c;
}

/* ---- calls ---- */

/* Returns whether a call fits only once its result is there. */
static bool
is_late(const struct rule_cond *c)
{
	return c->test == RULE_FAILED || c->of == RULE_RESULT ||
	    c->of == RULE_MS;
}

static void
conditions(struct rules_parser *p, struct rule_call *call)
{
	struct rule_cond *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < call->nconds; i++) {
		*arena_push(p->arena, list, n) = call->conds[i];
		call->late |= is_late(&call->conds[i]);
	}
	do {
		struct rule_cond c = condition(p);
		unsigned bit = c.variable < 0 ? 0 : 1U << c.variable;

		if (rules_ok(p))
			rules_check_condition(p, list, n, &c);
		*arena_push(p->arena, list, n) = c;
		for (size_t i = 0; i < c.ngroups; i++)
			call->binds |= 1U << c.groups[i].variable;
		call->chooses |= c.ngroups != 0;
		call->late |= is_late(&c);
		if (c.test == RULE_COMPARE && c.op == RULE_EQ) {
			call->binds |= bit;
			call->chooses |= bit != 0 && c.several;
		} else {
			call->uses |= bit;
		}
	} while (rules_ok(p) && rules_take_sign(p, ","));
	if (rules_ok(p) && !rules_take_sign(p, ")"))
		rules_expected(p, "',' or ')'", RULES_LIST);
	call->conds = list;
	call->nconds = n;
}

struct rule_call
rules_call(struct rules_parser *p)
{
	struct rule_call call = { 0 };
	size_t from = rules_start(p);
	bool negated;

	p->nroles = 0;
	negated = rules_take_sign(p, "!");
	rules_names(p, &call);
	if (negated && rules_ok(p))
		rules_negate(p, &call);
	call.names = rules_written(p, from);
	if (rules_ok(p) && rules_take_sign(p, "("))
		conditions(p, &call);
	call.written = rules_written(p, from);
	return call;
}
