/* Rules as JSON, for --lint. */
#include "check/rule/run.h"
#include "check/rule/words.h"

static const char *const ops[] = {
	[RULE_EQ] = "=",
	[RULE_NE] = "!=",
	[RULE_LT] = "<",
	[RULE_LE] = "<=",
	[RULE_GT] = ">",
	[RULE_GE] = ">=",
};

/* Returns the name of a form in JSON: its word, unless it has none. */
static const char *
form_name(const struct rule_claim *c)
{
	static const char *const names[RULE_FORMS] = {
		[RULE_COUNT] = "count",
		[RULE_ROW] = "in_a_row",
		[RULE_MATCHES] = "matches",
		[RULE_IS] = "equals",
		[RULE_PATH] = "jsonpath",
		[RULE_TRACE] = "trace",
	};

	if (c->form == RULE_CHAIN && c->absent)
		return c->nstages > 1 ? "after" : "no";
	if (c->form == RULE_CHAIN && c->nstages == 1)
		return "called";
	return names[c->form] != NULL ? names[c->form]
				      : rules_word_of_form(c->form);
}

static void
show_event(const struct rule_call *call, struct out *o)
{
	out_begin(o, '{');
	if (call->just)
		out_member_bool(o, "just", true);
	if (call->negated)
		out_member_bool(o, "negated", true);
	if (call->kind != RULE_IS_CALL) {
		out_member_str(o, "event", call->names);
	} else {
		out_member_strs(o, "tools",
		    call->by_role
			? (struct str_list){ &call->names, 1 }
			: (struct str_list){ call->globs, call->nglobs });
	}
	if (call->nconds != 0) {
		out_member_begin(o, "where", '[');
		for (size_t i = 0; i < call->nconds; i++)
			if (call->conds[i].written.n != 0)
				out_json_str(o, call->conds[i].written);
		out_end(o, ']');
	}
	out_end(o, '}');
}

/* Writes the events of the chain that ends with this one. */
static void
show_linked(const struct rule_call *last, struct out *o)
{
	if (last->after != NULL)
		show_linked(last->after, o);
	show_event(last, o);
}

static void
show_call(const struct rule_call *call, struct out *o)
{
	if (call->after == NULL) {
		show_event(call, o);
		return;
	}
	out_begin(o, '{');
	out_member_begin(o, "chain", '[');
	show_linked(call, o);
	out_end(o, ']');
	out_end(o, '}');
}

static void
show_calls(const char *key, struct rule_calls calls, struct out *o)
{
	out_member_begin(o, key, '[');
	for (size_t i = 0; i < calls.n; i++)
		show_call(&calls.list[i], o);
	out_end(o, ']');
}

/* Writes the events of the stages from the first one on. */
static void
show_sequence(
    const char *key, const struct rule_claim *c, size_t first, struct out *o)
{
	out_member_begin(o, key, '[');
	for (size_t i = first; i < c->nstages; i++)
		show_call(c->stages[i].list, o);
	out_end(o, ']');
}

/* Writes the events by the word of the grammar that they follow. */
static void
show_stages(const struct rule_claim *c, struct out *o)
{
	const char *end = "before";

	if (c->form == RULE_CHAIN && c->absent) {
		show_calls("no", c->stages[c->nstages - 1], o);
		if (c->nstages > 1)
			show_calls("after", c->stages[0], o);
		end = "until";
	} else if (c->form == RULE_CHAIN) {
		show_sequence("calls", c, 0, o);
	} else {
		show_calls("calls", c->stages[0], o);
	}
	if (c->form == RULE_EVERY)
		show_sequence("then", c, 1, o);
	if (c->form == RULE_BEFORE) {
		show_calls("needs", c->stages[1], o);
		end = "since";
	}
	if (c->end.n > 0)
		show_calls(end, c->end, o);
	if (c->timed)
		out_member_double(o, "within", c->within);
}

static void show_claim(const struct rule_claim *, struct out *);

static void
show_text(const struct rule_claim *c, struct out *o)
{
	out_member_str(o, "of", c->of_prompt ? STR("prompt") : STR("answer"));
	out_member_str(o, c->form == RULE_PATH ? "path" : "text", c->text);
	out_member_str(o, "pattern", c->pattern);
	if (c->caseless)
		out_member_bool(o, "caseless", true);
	if (c->value != NULL) {
		out_member_str(o, "op", str_of(ops[c->op]));
		out_member_raw(o, "value", c->value->text);
	}
}

static void
show_parts(const struct rule_claim *c, struct out *o)
{
	out_member_begin(o, "claims", '[');
	for (size_t i = 0; i < c->nparts; i++) {
		out_begin(o, '{');
		show_claim(c->parts[i], o);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static bool
has_number(const struct rule_claim *c)
{
	return (c->form >= RULE_COUNT && c->form <= RULE_ROW) ||
	    (c->form >= RULE_CALLS && c->form <= RULE_TIME);
}

static void
show_claim(const struct rule_claim *c, struct out *o)
{
	out_member_str(o, "claim", str_of(form_name(c)));
	if (c->form <= RULE_LAST_OF_CALLS)
		show_stages(c, o);
	else if (c->form <= RULE_GROUNDED)
		show_text(c, o);
	if (has_number(c)) {
		out_member_str(o, "op", str_of(ops[c->op]));
		out_member_double(o, "n", c->n);
	}
	if (c->form == RULE_SUM || c->form == RULE_DISTINCT)
		out_member_str(o, "of", c->cond->written);
	if (c->form == RULE_SAME)
		rule_good_show(c, o);
	if (c->form == RULE_TRACE)
		out_member_str(o, "where", c->cond->written);
	if (c->form == RULE_JUDGE)
		check_show_wanted(c->judge, o);
	if (c->nparts != 0)
		show_parts(c, o);
}

void
rule_show(const void *want, struct out *o)
{
	const struct rule_want *w = want;
	struct arena a = { 0 };

	out_member_str(o, "rule", w->written);
	out_member_str(o, "says", rule_say(w, &a));
	arena_free(&a);
	if (w->group->per != RULE_PER_RUN)
		out_member_str(o, "per", str_of(rule_per_name(w->group->per)));
	show_claim(w->claim, o);
	if (w->condition == NULL)
		return;
	out_member_begin(o, "if", '{');
	show_claim(w->condition, o);
	out_end(o, '}');
}
