/*
 * Events in rules: calls, inputs of the user, texts of agents; and the claims about the
 * order of events.
 */
#include "check/rule/parse.h"

/* ---- events ---- */

static void
mention(struct rules_parser *p, const struct rule_call *call, size_t at)
{
	struct rule_program *program = p->program;
	struct rule_mention *m =
	    arena_push(program->arena, program->mentions, program->nmentions);

	m->call = call;
	m->file = p->file;
	m->line = p->number;
	m->column = at + 1;
	m->of_check = false;
	for (size_t i = 0; i < call->nconds; i++)
		if (call->conds[i].of == RULE_ARG &&
		    call->conds[i].nsteps != 0 &&
		    call->conds[i].arguments.n == 0 &&
		    call->conds[i].test != RULE_ABSENT)
			rule_argument_ask(program, call->conds[i].path[0].name);
}

/* Returns the kind of text that an event is which is next, and moves behind its name;
 * RULE_IS_CALL: there is no such event, but a call. */
static enum rule_kind
takes_text(struct rules_parser *p)
{
	size_t at = p->at;
	enum rule_kind kind = rules_take_word(p, "user") ? RULE_IS_USER
	    : rules_take_word(p, "said")                 ? RULE_IS_SAID
							 : RULE_IS_CALL;
	struct str next = rules_peek_word(p);

	if (kind != RULE_IS_CALL &&
	    (str_is(next, "has") || str_is(next, "lacks") ||
		rules_peek(p) == '~' ||
		str_starts(str_from(p->line, p->at), "!~")))
		return kind;
	p->at = at;
	return RULE_IS_CALL;
}

/* Parses the condition of a text, whose kind was read. */
static void
text_condition(struct rules_parser *p, struct rule_call *call)
{
	struct rule_cond *c = arena_new(p->arena, struct rule_cond);
	size_t *number = arena_new(p->arena, size_t);
	struct str *glob = arena_new(p->arena, struct str);
	size_t from = p->at;

	c->of = RULE_SAID;
	c->variable = -1;
	if (rules_take_sign(p, "!~")) {
		c->negate = true;
		rules_match(p, c);
	} else if (rules_take_sign(p, "~")) {
		rules_match(p, c);
	} else {
		c->negate = rules_take_word(p, "lacks");
		if (!c->negate)
			rules_take_word(p, "has");
		c->test = RULE_HOLDS;
		c->pattern = view_fold(p->arena,
		    rules_string(p, "a text in quotes"), VIEW_LOWER_JS);
	}
	c->written = rules_written(p, from);
	*glob = rule_kind_glob(call->kind);
	*number = rule_glob_number(p->program, *glob);
	call->globs = glob;
	call->numbers = number;
	call->nglobs = 1;
	call->conds = c;
	call->nconds = 1;
	call->uses = c->variable < 0 ? 0 : 1U << c->variable;
	for (size_t i = 0; i < c->ngroups; i++)
		call->binds |= 1U << c->groups[i].variable;
	call->chooses = c->ngroups != 0;
}

/* Parses a call or a text. */
static struct rule_call *
event_next(struct rules_parser *p)
{
	struct rule_call *call = arena_new(p->arena, struct rule_call);
	enum rule_kind kind;
	size_t at = rules_start(p);

	kind = takes_text(p);
	if (kind == RULE_IS_CALL) {
		*call = rules_call(p);
		if (rules_ok(p))
			mention(p, call, at);
		return call;
	}
	call->kind = kind;
	call->names = rules_written(p, at);
	text_condition(p, call);
	call->written = rules_written(p, at);
	return call;
}

struct rule_calls
rules_one_call(struct rules_parser *p)
{
	struct rule_call *call;
	size_t at = rules_start(p);

	call = event_next(p);
	if (rules_ok(p) && call->kind != RULE_IS_CALL)
		rules_mistake(p, at,
		    "expected a call, found '%.*s' (only, same, sum, distinct "
		    "and 'in a row' are about calls)",
		    STR_FMT(call->written));
	return (struct rule_calls){ call, 1 };
}

struct rule_calls
rules_calls(struct rules_parser *p)
{
	struct rule_call *list = NULL;
	size_t n = 0;

	do {
		struct rule_calls one = rules_one_call(p);

		*arena_push(p->arena, list, n) = one.list[0];
	} while (rules_ok(p) && rules_take_sign(p, ","));
	return (struct rule_calls){ list, n };
}

/* Takes the word if it is next and an event follows, so that it is no tool's name. */
static bool
takes_before_event(struct rules_parser *p, const char *word)
{
	size_t at = p->at;
	struct str next;
	bool takes;

	if (!rules_take_word(p, word))
		return false;
	next = rules_peek_word(p);
	takes = next.n != 0
	    ? !rules_is_reserved(next) && !str_is(next, "since") &&
		!str_is(next, "until") && !str_is(next, "within")
	    : rules_peek(p) == '"' || rules_peek(p) == '!';
	if (!takes)
		p->at = at;
	return takes;
}

/* Parses a chain. Returns the last event, from which the others are linked. */
static struct rule_call *
linked_chain(struct rules_parser *p, size_t *nbags)
{
	struct rule_call *last = event_next(p);

	while (rules_ok(p) && rules_take_word(p, "then")) {
		bool just = takes_before_event(p, "just");
		struct rule_call *next = event_next(p);

		last->bag = (*nbags)++;
		next->just = just;
		next->after = last;
		last = next;
	}
	return last;
}

/* Parses a list of chains, of which the last event of each is in the list, and the others
 * have bags from *nbags on. */
static struct rule_calls
chains_next(struct rules_parser *p, size_t *nbags)
{
	struct rule_call *list = NULL;
	size_t n = 0;

	*nbags = 1;
	do
		*arena_push(p->arena, list, n) = *linked_chain(p, nbags);
	while (rules_ok(p) && rules_take_sign(p, ","));
	return (struct rule_calls){ list, n };
}

/* ---- claims ---- */

void
rules_add_stage(
    struct rules_parser *p, struct rule_claim *c, struct rule_calls calls)
{
	*arena_push(p->arena, c->stages, c->nstages) = calls;
}

void
rules_add_event(struct rules_parser *p, struct rule_claim *c, bool just)
{
	struct rule_call *call = event_next(p);

	call->bag = c->nstages;
	call->just = just;
	rules_add_stage(p, c, (struct rule_calls){ call, 1 });
}

/* Parses the events of a chain, each as a stage. */
static void
chain(struct rules_parser *p, struct rule_claim *c)
{
	do
		rules_add_event(p, c, takes_before_event(p, "just"));
	while (rules_ok(p) && rules_take_word(p, "then"));
}

void
rules_chain(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	const struct rule_call *first;

	c->form = RULE_CHAIN;
	rules_add_event(p, c, false);
	if (rules_ok(p) && rules_take_word(p, "then"))
		chain(p, c);
	c->nbags = c->nstages - 1;
	first = c->stages[0].list;
	if (rules_ok(p) && c->nstages == 1 && first->kind != RULE_IS_CALL &&
	    first->conds->test == RULE_HOLDS && first->conds->negate)
		rules_mistake(p, at,
		    "'%.*s' means that some text lacks this (did you mean 'no "
		    "%.*s has%.*s'?)",
		    STR_FMT(first->written), STR_FMT(first->names),
		    STR_FMT(str_from(first->conds->written, strlen("lacks"))));
}

bool
rules_time(struct rules_parser *p, struct rule_claim *c)
{
	size_t at;

	if (!rules_ok(p) || !rules_take_word(p, "within"))
		return false;
	at = rules_start(p);
	c->timed = true;
	c->within = rules_number(p, RULES_TIME);
	c->text = rules_written(p, at);
	return true;
}

/* Parses what no event may be of between those of the claim, behind the word that the
 * claim takes, and a time. */
static void
limits(struct rules_parser *p, struct rule_claim *c, const char *word)
{
	struct str next = rules_peek_word(p);

	if (!str_is(next, word) &&
	    (str_is(next, "since") || str_is(next, "until")))
		rules_mistake(p, p->at,
		    "expected %s, found '%.*s' (since follows before, until "
		    "follows after)",
		    word, STR_FMT(next));
	if (rules_ok(p) && rules_take_word(p, word))
		c->end = (struct rule_calls){ event_next(p), 1 };
	rules_time(p, c);
}

/* Records the mistake of a limit or a chain behind `no A`. */
static void
alone(struct rules_parser *p, const struct rule_call *call)
{
	struct str word = rules_peek_word(p), next;
	size_t at = p->at;

	if (!str_is(word, "then")) {
		rules_mistake(p, at,
		    "'%.*s' needs another event (write 'no %.*s before ... "
		    "%.*s ...' or 'no %.*s after ... %.*s ...')",
		    STR_FMT(word), STR_FMT(call->written),
		    STR_FMT(str_is(word, "until") ? STR("since") : word),
		    STR_FMT(call->written),
		    STR_FMT(str_is(word, "since") ? STR("until") : word));
		return;
	}
	rules_take_word(p, "then");
	next = event_next(p)->written;
	rules_mistake(p, at, "no takes one event (write 'no %.*s after %.*s')",
	    STR_FMT(next), STR_FMT(call->written));
}

void
rules_absence(struct rules_parser *p, struct rule_claim *c)
{
	struct rule_call *call = event_next(p);
	struct rule_calls stage = { call, 1 };

	c->form = RULE_CHAIN;
	c->absent = true;
	if (rules_take_word(p, "after")) {
		call->just = takes_before_event(p, "just");
		rules_add_stage(p, c, chains_next(p, &c->nbags));
		rules_add_stage(p, c, stage);
		limits(p, c, "until");
		return;
	}
	rules_add_stage(p, c, stage);
	if (rules_take_word(p, "before")) {
		c->form = RULE_BEFORE;
		call->just = takes_before_event(p, "just");
		rules_add_stage(p, c, chains_next(p, &c->nbags));
		limits(p, c, "since");
	} else if (str_is_one_of(
		       rules_peek_word(p), "since until within then")) {
		alone(p, call);
	}
}

/* Returns whether each call is as described. */
static bool
is_any(const struct rule_call *call)
{
	return call->kind == RULE_IS_CALL && call->nconds == 0 &&
	    !call->negated && call->nglobs == 1 && str_is(*call->globs, "*");
}

void
rules_response(struct rules_parser *p, struct rule_claim *c, size_t at)
{
	c->form = RULE_EVERY;
	rules_add_event(p, c, false);
	if (rules_ok(p) && !rules_take_word(p, "then"))
		rules_expected(p, "then", RULES_EVERY_CALL);
	chain(p, c);
	c->nbags = c->nstages - 1;
	limits(p, c, "before");
	if (rules_ok(p) && is_any(c->stages[0].list) &&
	    c->stages[c->nstages - 1].list->kind == RULE_IS_CALL)
		rules_mistake(p, at,
		    "'every * then %.*s' cannot be kept: the last call, %.*s "
		    "too, needs another behind it (name the calls that need "
		    "one)",
		    STR_FMT(c->stages[1].list->written),
		    STR_FMT(c->stages[1].list->names));
}

bool
rules_takes_end(struct rules_parser *p, struct rule_claim *c)
{
	bool first = takes_before_event(p, "first");

	if (!first && !takes_before_event(p, "last"))
		return false;
	c->form = first ? RULE_FIRST : RULE_LAST;
	rules_add_event(p, c, false);
	return true;
}

/* ---- variables ---- */

/* Returns the variables that every one of the calls, or of the chains that end with
 * them, binds. */
static unsigned
bound_by_all(struct rule_calls calls)
{
	unsigned bits = ~0U;

	for (size_t i = 0; i < calls.n; i++) {
		unsigned one = 0;

		for (const struct rule_call *c = &calls.list[i]; c != NULL;
		     c = c->after)
			one |= c->binds;
		bits &= one;
	}
	return bits;
}

/* Returns the variables that a chain, which ends with the call in this stage of the
 * claim (`end`: SIZE_MAX), reads although neither the chain nor a call of another stage
 * surely binds them. */
static unsigned
unbound(const struct rule_claim *c, size_t stage, const struct rule_call *last)
{
	unsigned bits = 0;

	for (const struct rule_call *call = last; call != NULL;
	     call = call->after)
		bits |= call->uses;
	for (const struct rule_call *call = last; call != NULL;
	     call = call->after)
		bits &= ~call->binds;
	for (size_t i = 0; i < c->nstages; i++)
		if (i != stage)
			bits &= ~bound_by_all(c->stages[i]);
	return bits;
}

/* Returns the calls without what their patterns bind. */
static struct rule_calls
without_captures(struct rules_parser *p, struct rule_calls calls)
{
	struct rule_call *list =
	    arena_new_n(p->arena, struct rule_call, calls.n);

	for (size_t i = 0; i < calls.n; i++) {
		list[i] = calls.list[i];
		list[i].binds = 0;
		list[i].chooses = false;
	}
	return (struct rule_calls){ list, calls.n };
}

void
rules_check_variables(
    struct rules_parser *p, const struct rule_claim *c, size_t at)
{
	bool counts = c->form >= RULE_COUNT && c->form <= RULE_ROW;
	bool alone = c->form == RULE_ONLY || c->form == RULE_SAME;
	unsigned lost = 0;

	for (size_t i = 0; i < c->nstages; i++)
		for (size_t k = 0; k < c->stages[i].n; k++)
			lost |= unbound(c, i, &c->stages[i].list[k]);
	for (size_t k = 0; k < c->end.n; k++)
		lost |= unbound(c, SIZE_MAX, &c->end.list[k]);
	if (alone && p->captured != 0)
		c->stages[0] = without_captures(p, c->stages[0]);
	for (size_t i = 0; i < p->nvariables; i++)
		if (alone && p->named[i] > 0)
			rules_mistake(p, p->first[i],
			    "$%.*s has no meaning here: the calls of only and "
			    "same are not compared with each other",
			    STR_FMT(p->variables[i]));
		else if (lost & 1U << i)
			rules_mistake(p, p->first[i],
			    "nothing binds $%.*s: expected a condition NAME = "
			    "$%.*s in another call of '%.*s'",
			    STR_FMT(p->variables[i]), STR_FMT(p->variables[i]),
			    STR_FMT(rules_written(p, at)));
		else if (p->named[i] < 2 && !counts && !(p->captured & 1U << i))
			rules_mistake(p, p->first[i],
			    "$%.*s is named only once in '%.*s': nothing is "
			    "compared with its value",
			    STR_FMT(p->variables[i]),
			    STR_FMT(rules_written(p, at)));
}
