/*
 * Rules: claims, and what joins them. mcpl-rules(5) has the grammar. Where that
 * grammar leaves a choice, this parser chooses so:
 *
 * - A name of a tool may not be a word that begins a claim or follows a call
 *   (no, then, if, calls, ...); it may be a, row, order, has, lacks, unseen.
 * - A text in quotes in place of a name is a glob, too.
 * - `<= N CALL($x)`, `>=` and `=` count per value of $x; with no such call the
 *   count is 0.
 * - `prompt` is any of the user's inputs: `has`, `~`, `=` and a path hold if they
 *   hold for one of them, `lacks` if no input has the text.
 * - A time without a unit is in seconds.
 * - The section [*] is for every run, also one without a scenario.
 */
#include "check/rule/parse.h"

#include "text/caseless.h"

enum { DEPTH_MAX = 100 };

static const struct rule_claim *disjunction(struct rules_parser *);

/* ---- claims about calls ---- */

static void
count(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	size_t from;

	if (rules_ok(p) && c->op != RULE_LE && c->op != RULE_GE &&
	    c->op != RULE_EQ)
		rules_mistake(p, at,
		    "expected <=, >= or = before a number of calls, found "
		    "'%.*s'",
		    STR_FMT(rules_written(p, at)));
	c->form = RULE_COUNT;
	c->n = rules_number(p, RULES_WHOLE);
	from = rules_start(p);
	rules_add_event(p, c, false);
	if (rules_take_word(p, "in")) {
		c->form = RULE_ROW;
		if (c->stages[0].list->kind != RULE_IS_CALL) {
			p->at = from;
			rules_one_call(p);
		}
		if (!rules_take_word(p, "a") || !rules_take_word(p, "row"))
			rules_expected(p, "'a row' behind 'in'", RULES_OF_IN);
	}
	if (rules_ok(p) && str_is(rules_peek_word(p), "within") &&
	    (c->form == RULE_ROW || c->op == RULE_EQ))
		rules_mistake(p, p->at,
		    c->form == RULE_ROW
			? "'in a row' takes no within: calls in a row have no "
			  "other call between, whenever they are made"
			: "'= N' takes no within (write '<= N ... within' or "
			  "'>= N ... within')");
	rules_time(p, c);
}

/* Returns the length of a path in brackets, behind which a call begins; 0: there is
 * none, and a word before is a tool's name. */
static size_t
path_length(struct rules_parser *p)
{
	struct str rest = str_from(p->line, p->at);
	size_t n = str_find_char(rest, ')'), at = p->at;
	bool is = rules_take_sign(p, "(") && n < rest.n;

	for (size_t i = 1; is && i < n; i++)
		is = rules_is_of_name(rest.s[i]) ||
		    str_find_char(STR("[]* \""), rest.s[i]) < 5;
	p->at = at + n + 1;
	is = is &&
	    (rules_peek(p) == '"' || rules_peek(p) == '!' ||
		(rules_peek_word(p).n > 0 &&
		    !rules_is_reserved(rules_peek_word(p))));
	p->at = at;
	return is ? n + 1 : 0;
}

/* Parses a sum or a number of different values, if there is one. The names of roles in
 * the path depend on the call. */
static bool
takes_total(struct rules_parser *p, struct rule_claim *c)
{
	struct rule_cond *cond = arena_new(p->arena, struct rule_cond);
	size_t at = p->at, length, end;
	bool sum = rules_take_word(p, "sum");

	if (!sum && !rules_take_word(p, "distinct"))
		return false;
	length = path_length(p);
	if (length == 0) {
		p->at = at;
		return false;
	}
	c->form = sum ? RULE_SUM : RULE_DISTINCT;
	at = p->at;
	p->at += length;
	rules_add_stage(p, c, rules_one_call(p));
	if (!rules_ok(p))
		return true;
	end = p->at;
	p->at = at + 1;
	*cond = rules_argument(p);
	c->cond = cond;
	if (rules_ok(p) && !rules_take_sign(p, ")"))
		rules_expected(p, "')'", RULES_NOWHERE);
	if (cond->arguments.n == 0 && cond->nsteps > 0)
		rule_argument_ask(p->program, cond->path[0].name);
	if (!rules_ok(p))
		return true;
	p->at = end;
	at = end;
	if (!rules_op(p, &c->op))
		rules_expected(
		    p, "an operator (= != < <= > >=)", RULES_NOWHERE);
	c->n = rules_number(p, RULES_AMOUNT);
	if (rules_time(p, c) && rules_ok(p) && c->op <= RULE_NE)
		rules_mistake(p, at,
		    "expected <=, <, >= or > before an amount within a time");
	return true;
}

/* Returns the path of a file that a rule names, from the folder of the rule
 * file. */
static const char *
path_of(struct rules_parser *p, struct str file)
{
	if (p->folder.n != 0 && !str_starts(file, "/"))
		file = str_cat(p->arena, p->folder, file);
	return str_c(p->arena, file);
}

static void
same(struct rules_parser *p, struct rule_claim *c)
{
	struct str file, why;
	size_t at;

	c->form = RULE_SAME;
	rules_add_stage(p, c, rules_one_call(p));
	if (rules_ok(p) && !rules_take_word(p, "as"))
		rules_expected(p, "as", RULES_SAME_CALL);
	at = rules_start(p);
	file = rules_string(p, "the file of the good runs, in quotes");
	if (rules_take_word(p, "in")) {
		c->in_order = true;
		if (!rules_take_word(p, "order"))
			rules_expected(p, "'order' behind 'in'", RULES_NOWHERE);
	}
	if (rules_take_word(p, "ignoring"))
		rules_paths(p, c);
	if (!rules_ok(p))
		return;
	c->good = rule_good_read(p->program, path_of(p, file), c, &why);
	if (c->good == NULL)
		rules_mistake(p, at, "%.*s", STR_FMT(why));
}

/* ---- claims about texts and amounts ---- */

static void
path_claim(struct rules_parser *p, struct rule_claim *c)
{
	size_t at = p->at;
	struct jsonpath_error error = { 0 };

	c->form = RULE_PATH;
	c->text = rules_jsonpath(p);
	c->path = jsonpath_compile(p->arena, c->text, JSONPATH_PLUS, &error);
	if (c->path != NULL)
		*arena_push(p->arena, p->paths, p->npaths) = c->path;
	if (c->path == NULL || jsonpath_is_open(c->text, &error.offset)) {
		rules_mistake(p, at + error.offset, "invalid path: %.*s",
		    STR_FMT(c->path == NULL
			    ? error.why
			    : STR("the bracket is not closed")));
		return;
	}
	if (rules_op(p, &c->op))
		c->value = rules_compared(p, c->op);
}

static void
pattern_claim(struct rules_parser *p, struct rule_claim *c)
{
	struct rules_regex r = rules_regex(p);

	c->form = RULE_MATCHES;
	c->regex = r.regex;
	c->pattern = r.pattern;
	c->caseless = r.caseless;
	c->stays = r.stays;
}

static void
text_claim(struct rules_parser *p, struct rule_claim *c)
{
	size_t at = rules_start(p);

	if (rules_take_word(p, "has") || rules_take_word(p, "lacks")) {
		c->form = p->line.s[at] == 'h' ? RULE_HAS : RULE_LACKS;
		c->text = rules_string(p, "a text in quotes");
		c->folded = view_fold(p->arena, c->text, VIEW_LOWER_JS);
	} else if (rules_take_word(p, "grounded")) {
		c->form = RULE_GROUNDED;
		if (c->of_prompt)
			rules_mistake(p, at,
			    "expected has, lacks, ~, = or a path, found "
			    "'grounded' (only the answer is grounded)");
	} else if (rules_take_sign(p, "~")) {
		pattern_claim(p, c);
	} else if (rules_peek(p) == '$') {
		path_claim(p, c);
	} else if (rules_op(p, &c->op)) {
		c->form = RULE_IS;
		if (rules_ok(p) && c->op != RULE_EQ)
			rules_mistake(p, at,
			    "expected =, has, lacks, ~, grounded or a path, "
			    "found '%.*s'",
			    STR_FMT(rules_written(p, at)));
		c->text = rules_string(p, "a text in quotes");
	} else {
		rules_expected(
		    p, "has, lacks, ~, =, grounded or a path", RULES_OF_TEXT);
	}
}

static void
amount(struct rules_parser *p, struct rule_claim *c)
{
	if (!rules_op(p, &c->op))
		rules_expected(
		    p, "an operator (= != < <= > >=)", RULES_NOWHERE);
	c->n =
	    rules_number(p, c->form == RULE_TIME ? RULES_TIME : RULES_AMOUNT);
	if (c->form == RULE_TIME &&
	    caseless_is_one_of(rules_peek_word(p),
		"ms s m h sec secs second seconds min minute minutes hour "
		"hours"))
		rules_mistake(p, p->at,
		    "expected ms, s, m, h or d behind the number, without a "
		    "blank, found '%.*s'",
		    STR_FMT(rules_peek_word(p)));
}

/* ---- what joins claims ---- */

static void
brackets(struct rules_parser *p, struct rule_claim *c)
{
	const struct rule_claim *inner;

	inner = disjunction(p);
	if (rules_ok(p) && !rules_take_sign(p, ")"))
		rules_expected(p, "and, or or ')'", RULES_BRACKETS);
	if (inner != NULL)
		*c = *inner;
	c->in_brackets = true;
}

static const struct rule_claim *primary(struct rules_parser *);

static void
negation(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	const struct rule_claim **parts =
	    arena_new(p->arena, const struct rule_claim *);
	bool judged = p->judged;

	c->form = RULE_NOT;
	*parts = primary(p);
	c->parts = parts;
	c->nparts = 1;
	if (p->judged != judged)
		rules_mistake(p, at,
		    "expected no claim for the judge behind not (ask the judge "
		    "the opposite)");
}

/* Parses the claim of an amount, if its word is next. */
static bool
takes_amount(struct rules_parser *p, struct rule_claim *c)
{
	const struct rules_word *w =
	    rules_word_at(rules_peek_word(p), RULES_CLAIM);

	if (w == NULL || w->form < RULE_CALLS || w->form > RULE_TIME)
		return false;
	rules_take_word(p, w->word);
	c->form = w->form;
	amount(p, c);
	return true;
}

/* Parses the claim of a word that begins it; a call, if none does. */
static void
worded(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	if (rules_take_word(p, "no"))
		rules_absence(p, c);
	else if (rules_take_word(p, "every"))
		rules_response(p, c, at);
	else if (rules_take_word(p, "only")) {
		c->form = RULE_ONLY;
		rules_add_stage(p, c, rules_calls(p));
	} else if (rules_take_word(p, "same"))
		same(p, c);
	else if (rules_take_word(p, "answer"))
		text_claim(p, c);
	else if (rules_take_word(p, "prompt")) {
		c->of_prompt = true;
		text_claim(p, c);
	} else if (rules_take_word(p, "judge"))
		rules_judge(p, c, at);
	else if (rules_is_trace(p)) {
		struct rule_cond *cond = arena_new(p->arena, struct rule_cond);

		*cond = rules_trace(p);
		c->form = RULE_TRACE;
		c->cond = cond;
	} else if (rules_op(p, &c->op))
		count(p, c, at);
	else if (rules_peek_word(p).n == 0 && rules_peek(p) != '"')
		rules_expected(p, "a claim", RULES_NOWHERE);
	else if (rules_is_reserved(rules_peek_word(p)))
		rules_expected(p, "a claim", RULES_CLAIM);
	else
		rules_chain(p, c, at);
}

static const struct rule_claim *
simple(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	p->nvariables = p->captured = 0;
	p->claim_at = at;
	if (!takes_amount(p, c) && !takes_total(p, c) && !rules_takes_end(p, c))
		worded(p, c, at);
	c->written = rules_written(p, at);
	if (!rules_ok(p))
		return c;
	rules_check_variables(p, c, at);
	if (p->group->per != RULE_PER_RUN &&
	    (c->form == RULE_JUDGE || c->form == RULE_SAME ||
		c->form == RULE_TRACE))
		rules_mistake(p, at,
		    "expected a claim about a %s behind 'per %s' (judge, same "
		    "and trace are about the run)",
		    rule_per_name(p->group->per), rule_per_name(p->group->per));
	if (c->form <= RULE_LAST_OF_CALLS && rules_ok(p))
		rule_group_add(p->group, c);
	return c;
}

static const struct rule_claim *
primary(struct rules_parser *p)
{
	struct rule_claim *c = arena_new(p->arena, struct rule_claim);
	size_t at = rules_start(p);

	if (++p->depth > DEPTH_MAX)
		rules_mistake(p, at, "nested more than %d deep", DEPTH_MAX);
	if (rules_take_sign(p, "("))
		brackets(p, c);
	else if (rules_take_word(p, "not"))
		negation(p, c, at);
	else
		(void)simple(p, c, at);
	p->depth--;
	c->written = rules_written(p, at);
	return c;
}

/* Parses claims that are joined by the word. */
static const struct rule_claim *
joined(struct rules_parser *p, const char *word, enum rule_form form,
    const struct rule_claim *(*part)(struct rules_parser *))
{
	const struct rule_claim **parts = NULL;
	struct rule_claim *c;
	size_t n = 0, at;

	at = rules_start(p);
	do {
		const struct rule_claim *one = part(p);

		if (n != 0)
			rules_check_joined(p, word, parts[n - 1], one);
		*arena_push(p->arena, parts, n) = one;
	} while (rules_ok(p) && rules_take_word(p, word));
	if (n == 1)
		return parts[0];
	if (form == RULE_AND && rules_ok(p))
		rules_check_limits(p, parts, n);
	c = arena_new(p->arena, struct rule_claim);
	c->form = form;
	c->parts = parts;
	c->nparts = n;
	c->written = rules_written(p, at);
	return c;
}

static const struct rule_claim *
conjunction(struct rules_parser *p)
{
	return joined(p, "and", RULE_AND, primary);
}

static const struct rule_claim *
disjunction(struct rules_parser *p)
{
	return joined(p, "or", RULE_OR, conjunction);
}

/* ---- rules ---- */

static void
condition(struct rules_parser *p, struct rules_rule *rule)
{
	bool judged = p->judged;
	size_t at = p->at;

	if (!rules_take_word(p, "if"))
		return;
	rule->want.condition = disjunction(p);
	if (p->judged != judged)
		rules_mistake(
		    p, at, "expected no claim for the judge behind if");
}

static enum rules_severity
severity(struct rules_parser *p)
{
	if (rules_take_word(p, "warn"))
		return RULES_WARNING;
	return rules_take_word(p, "note") ? RULES_NOTE : RULES_ERROR;
}

/* Parses `per` and the parts that the rule is about, if they are next. */
static enum rule_per
parts(struct rules_parser *p)
{
	size_t at = p->at;

	if (rules_take_word(p, "per"))
		for (enum rule_per per = RULE_PER_TURN; per < RULE_PERS; per++)
			if (rules_take_word(p, rule_per_name(per)))
				return per;
	p->at = at;
	return RULE_PER_RUN;
}

static struct str
label(struct rules_parser *p)
{
	struct str text = str_trim(str_from(p->line, p->at + 1));

	if (text.n == 0)
		text.s = NULL;
	return text;
}

void
rules_drop(struct rules_parser *p)
{
	for (size_t i = 0; i < p->nregexes; i++)
		regex_free(p->regexes[i]);
	for (size_t i = 0; i < p->npaths; i++)
		jsonpath_free(p->paths[i]);
	p->nregexes = p->npaths = 0;
}

static void
parse(struct rules_parser *p, struct rules_rule *rule)
{
	size_t from;

	rule->severity = severity(p);
	from = rules_start(p);
	p->group = rule_group_per(p->group, parts(p));
	p->machines = p->group->n;
	rule->want.group = p->group;
	rule->want.claim = disjunction(p);
	condition(p, rule);
	rule->want.written = rules_written(p, from);
	if (rules_ok(p) && !rules_at_end(p))
		rules_expected(p,
		    rule->want.condition == NULL
			? "then, and, or, if or the end of the rule"
			: "and, or or the end of the rule",
		    RULES_BEHIND);
	if (rules_ok(p) && p->trap.s != NULL) {
		p->wrong = p->trap;
		p->wrong_at = p->trap_at;
	}
	if (rules_ok(p))
		rule->label = label(p);
}

bool
rules_parse(struct rules_parser *p, struct rules_rule *rule)
{
	size_t mentions = p->program->nmentions, asked = p->program->nasked;
	struct rule_group *section = p->group, *group;

	*rule = (struct rules_rule){ .want.group = section };
	p->wrong = (struct str){ 0 };
	p->at = p->depth = p->nvariables = p->captured = 0;
	p->judged = false;
	p->trap = (struct str){ 0 };
	p->claim_at = 0;
	p->word = (struct suggest){ 0 };
	p->regexes = NULL;
	p->paths = NULL;
	p->nregexes = p->npaths = 0;
	parse(p, rule);
	group = p->group;
	p->group = section;
	if (rules_ok(p)) {
		rule->want.regexes = p->regexes;
		rule->want.nregexes = p->nregexes;
		rule->want.paths = p->paths;
		rule->want.npaths = p->npaths;
		rule_positive_add(
		    p->program, group, rule->want.claim, mentions);
		return true;
	}
	rules_drop(p);
	group->n = p->machines;
	p->program->nmentions = mentions;
	p->program->nasked = asked;
	rules_explain(p);
	return false;
}
