/* Says in plain words what a rule demands, for --lint. */
#include "check/rule/run.h"

/* ---- calls ---- */

/* Returns the noun of a role, or of a tool. */
static struct str
noun(struct str name, struct arena *a)
{
	static const struct {
		const char *name, *noun;
	} rows[] = {
		{ "*", "call" },
		{ ":shell", "shell command" },
		{ ":read", "read of a file" },
		{ ":edit", "edit" },
		{ ":search", "search" },
		{ ":fetch", "fetch of a page" },
		{ ":ask", "question to the user" },
		{ ":agent", "start of a sub-agent" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (str_is(name, rows[i].name))
			return str_of(rows[i].noun);
	if (str_starts(name, "run "))
		return str_cat(a, STR("command "), str_trim(str_from(name, 4)));
	return name;
}

/* Returns the names of a call as nouns. */
static struct str
nouns(const struct rule_call *call, struct arena *a)
{
	struct str rest = call->names, said = { 0 };

	while (rest.s != NULL) {
		struct str one;
		size_t n = 0;
		bool quoted = false;

		while (n < rest.n && (quoted || rest.s[n] != '|'))
			quoted ^= rest.s[n++] == '"';
		one = str_trim(str_slice(rest, 0, n));
		rest = n < rest.n ? str_from(rest, n + 1) : (struct str){ 0 };
		said = said.s == NULL
		    ? noun(one, a)
		    : str_printf(a, "%.*s or %.*s", STR_FMT(said),
			  STR_FMT(noun(one, a)));
	}
	return said;
}

static bool
does_bind(const struct rule_cond *c)
{
	return c->variable >= 0 && c->test == RULE_COMPARE && c->op == RULE_EQ;
}

/* Returns what a condition that binds is about. */
static struct str
name_of(const struct rule_cond *c)
{
	return str_trim(
	    str_slice(c->written, 0, str_find_char(c->written, '=')));
}

/* Puts the condition of a text, without its sign. */
static void
put_text_condition(struct out *o, const struct rule_cond *c)
{
	size_t sign = c->negate ? 2 : 1;

	if (c->test == RULE_HOLDS)
		out_printf(o, " that %.*s", STR_FMT(c->written));
	else
		out_printf(o, " that %s %.*s",
		    c->negate ? "does not fit" : "fits",
		    STR_FMT(str_trim(str_from(c->written, sign))));
}

/* Puts a condition behind the noun; of the first call of a claim, what only binds a
 * variable says nothing. */
static void
put_condition(struct out *o, const struct rule_cond *c, bool first)
{
	if (c->test == RULE_FAILED)
		out_text(o, c->negate ? " that passed" : " that failed");
	else if (does_bind(c) && !first)
		out_printf(o, " with the same %.*s", STR_FMT(name_of(c)));
	else if (c->of == RULE_SAID)
		put_text_condition(o, c);
	else if (c->written.n != 0 && !does_bind(c))
		out_printf(o, " with %.*s", STR_FMT(c->written));
}

/* Returns the nouns of an event. */
static struct str
event_nouns(const struct rule_call *call, struct arena *a)
{
	struct rule_call others = { .names = str_from(call->names, 1) };

	switch (call->kind) {
	case RULE_IS_SAID:
		return STR("text of the agent");
	case RULE_IS_USER:
		return STR("input of the user");
	case RULE_IS_CALL:
		break;
	}
	return str_starts(call->names, "!")
	    ? str_cat(a, STR("call other than "), nouns(&others, a))
	    : nouns(call, a);
}

/* Puts "a refund with amount > 5", with these words before the noun. */
static void
put_event(
    struct out *o, const char *words, const struct rule_call *call, bool first)
{
	struct arena a = { 0 };
	struct str said = event_nouns(call, &a);

	out_text(o, words);
	if (str_ends(str_of(words), "a") && said.n != 0)
		out_text(
		    o, str_find_char(STR("aeiou"), *said.s) < 5 ? "n " : " ");
	out_str(o, said);
	for (size_t i = 0; i < call->nconds; i++)
		put_condition(o, &call->conds[i], first);
	if (call->just)
		out_text(o, " (with no other call between)");
	arena_free(&a);
}

/* Puts the chain of events that ends with this one. */
static void
put_call(
    struct out *o, const char *words, const struct rule_call *call, bool first)
{
	if (call->after != NULL)
		put_call(o, words, call->after, first);
	put_event(o, call->after != NULL ? ", then a" : words, call, first);
}

static void
put_calls(struct out *o, const char *words, struct rule_calls calls,
    const char *joint, bool first)
{
	for (size_t i = 0; i < calls.n; i++) {
		if (i != 0)
			out_text(o, joint);
		put_call(o, words, &calls.list[i], first);
	}
}

/* Puts the events of the stages from this one on. */
static void
put_stages(struct out *o, const struct rule_claim *c, size_t from)
{
	for (size_t i = from; i < c->nstages; i++)
		put_calls(
		    o, i == from ? "a" : ", then a", c->stages[i], "", i == 0);
}

/* Puts what limits the events of a claim. */
static void
put_limits(struct out *o, const char *words, const struct rule_claim *c)
{
	if (c->end.n != 0)
		put_calls(o, words, c->end, "", false);
	if (c->timed)
		out_printf(o, ", within %.*s", STR_FMT(c->text));
}

/* ---- claims ---- */

/* Returns the words of an operator between two amounts. */
static const char *
comparison(enum rule_op op)
{
	static const char *const words[] = {
		[RULE_EQ] = "exactly ",
		[RULE_NE] = "not ",
		[RULE_LT] = "less than ",
		[RULE_LE] = "at most ",
		[RULE_GT] = "more than ",
		[RULE_GE] = "at least ",
	};

	return words[op];
}

static void
say_chain(const struct rule_claim *c, struct out *o)
{
	if (c->absent && c->nstages > 1) {
		put_calls(o, "after a", c->stages[0], " or ", true);
		put_calls(
		    o, " there is no ", c->stages[c->nstages - 1], "", false);
		put_limits(o, ", until a", c);
	} else if (c->absent) {
		put_calls(o, "there is no ", c->stages[0], "", true);
	} else {
		out_text(o, "there is ");
		put_stages(o, c, 0);
	}
}

static void
say_count(const struct rule_claim *c, struct out *o)
{
	const struct rule_call *call = c->stages[0].list;
	bool total = c->form == RULE_SUM || c->form == RULE_DISTINCT;

	if (total) {
		out_printf(o, "the %s %.*s in all calls of ",
		    c->form == RULE_SUM ? "sum of" : "number of different",
		    STR_FMT(c->cond->written));
		put_call(o, "", call, true);
		out_printf(o, " is %s%.15g", comparison(c->op), c->n);
	} else {
		put_call(
		    o, c->form == RULE_ROW ? "the same " : "a", call, true);
		out_printf(o, " is made %s%.15g time%s%s", comparison(c->op),
		    c->n, c->n == 1 ? "" : "s",
		    c->form == RULE_ROW ? " in a row" : "");
	}
	if (c->timed)
		out_printf(o, " within %.*s", STR_FMT(c->text));
	for (size_t i = 0; i < call->nconds && c->form != RULE_ROW; i++)
		if (does_bind(&call->conds[i]))
			out_printf(o, ", for each value of %.*s",
			    STR_FMT(name_of(&call->conds[i])));
}

static void
say_calls(const struct rule_claim *c, struct out *o)
{
	if (c->form == RULE_CHAIN) {
		say_chain(c, o);
	} else if (c->form == RULE_BEFORE) {
		put_calls(o, "each ", c->stages[0], "", true);
		out_text(o, " needs ");
		put_calls(o, "a", c->stages[1], " or ", false);
		out_text(o, ", before it");
		put_limits(o, " and after the last ", c);
	} else if (c->form == RULE_EVERY) {
		put_calls(o, "each ", c->stages[0], "", true);
		out_text(o, " needs ");
		put_stages(o, c, 1);
		out_text(o, ", after it");
		put_limits(o, " and before the next ", c);
	} else if (c->form == RULE_FIRST || c->form == RULE_LAST) {
		out_printf(o, "the %s %s is ",
		    c->form == RULE_FIRST ? "first" : "last",
		    c->stages[0].list->kind == RULE_IS_CALL ? "call" : "text");
		put_calls(o, "a", c->stages[0], "", true);
	} else if (c->form == RULE_ONLY) {
		put_calls(o, "", c->stages[0], ", ", true);
		out_text(o, " and nothing else is called");
	} else if (c->form == RULE_SAME) {
		put_calls(o, "each ", c->stages[0], "", true);
		out_text(o, " is as in a good run, and none is lacking");
	} else {
		say_count(c, o);
	}
}

/* Says what a text is; the words of the rule say the rest. */
static void
say_text(const struct rule_claim *c, struct out *o)
{
	struct str rest =
	    str_trim(str_from(c->written, str_find_char(c->written, ' ')));
	const char *who =
	    c->of_prompt ? "an input of the user " : "the answer ";

	if (c->form == RULE_GROUNDED)
		out_text(
		    o, "each number, id and URL of the answer has a source");
	else if (c->form == RULE_LACKS)
		out_printf(o, "%s has %.*s",
		    c->of_prompt ? "no input of the user"
				 : "no part of the answer",
		    STR_FMT(str_trim(str_from(rest, strlen("lacks")))));
	else if (c->form == RULE_PATH)
		out_printf(o, "%sis JSON with %.*s", who, STR_FMT(rest));
	else if (c->form == RULE_MATCHES)
		out_printf(o, "%sfits %.*s", who,
		    STR_FMT(str_trim(str_from(rest, 1))));
	else
		out_printf(o, "%s%s%.*s", who, c->form == RULE_IS ? "is " : "",
		    STR_FMT(c->form == RULE_IS ? str_trim(str_from(rest, 1))
					       : rest));
}

static void
say_amount(const struct rule_claim *c, struct out *o)
{
	struct str name =
	    str_slice(c->written, 0, str_find_char(c->written, ' '));

	if (c->form == RULE_TIME)
		out_printf(
		    o, "the run takes %s%.15g s", comparison(c->op), c->n);
	else if (c->form == RULE_COST)
		out_printf(
		    o, "the run costs %s%.15g USD", comparison(c->op), c->n);
	else
		out_printf(o, "the run has %s%.15g %.*s", comparison(c->op),
		    c->n, STR_FMT(name));
}

static void say(const struct rule_claim *, struct out *);

static void
say_parts(const struct rule_claim *c, struct out *o)
{
	if (c->form == RULE_NOT)
		out_text(o, "it is not so that ");
	for (size_t i = 0; i < c->nparts; i++) {
		bool group = c->parts[i]->nparts > 1;

		if (i != 0)
			out_text(o, c->form == RULE_OR ? ", or " : ", and ");
		out_text(o, group ? "(" : "");
		say(c->parts[i], o);
		out_text(o, group ? ")" : "");
	}
}

static void
say(const struct rule_claim *c, struct out *o)
{
	switch (rule_about(c->form)) {
	case RULE_ABOUT_CALLS:
		say_calls(c, o);
		break;
	case RULE_ABOUT_TEXTS:
		say_text(c, o);
		break;
	case RULE_ABOUT_AMOUNTS:
		say_amount(c, o);
		break;
	case RULE_ABOUT_RECORD:
		out_printf(o, "the record has %.*s", STR_FMT(c->cond->written));
		break;
	case RULE_ABOUT_JUDGE:
		out_text(o, "the judge");
		if (c->folded.s != NULL)
			out_printf(o, ", shown %.*s and nothing else,",
			    STR_FMT(c->folded));
		out_printf(o, " agrees: %.*s", STR_FMT(c->text));
		if (c->n > 0)
			out_printf(o, ", with a score of at least %.15g", c->n);
		break;
	case RULE_ABOUT_CLAIMS:
		say_parts(c, o);
		break;
	}
}

struct str
rule_say(const struct rule_want *w, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	if (w->group->per != RULE_PER_RUN)
		out_printf(&o, "in each %s: ", rule_per_name(w->group->per));
	say(w->claim, &o);
	if (w->condition != NULL) {
		out_text(&o, ", if ");
		say(w->condition, &o);
	}
	return out_keep(&o, a);
}
