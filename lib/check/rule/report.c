/* Reports, after all runs, what in rules cannot be meant. */
#include <stdlib.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "check/rule/run.h"

enum {
	EDITED_LEAST = 4
}; /* bytes; one edit makes another word of a shorter one */

/* ---- positive claims ---- */

/* Returns the mention of the call, of which a list has a copy. */
static size_t
mention_of(const struct rule_program *p, const struct rule_call *call, size_t i)
{
	while (p->mentions[i].call->written.s != call->written.s)
		i++;
	return i;
}

void
rule_positive_add(struct rule_program *p, struct rule_group *g,
    const struct rule_claim *c, size_t mentions)
{
	struct rule_positive *positive;

	for (size_t i = 0; c->form == RULE_AND && i < c->nparts; i++)
		rule_positive_add(p, g, c->parts[i], mentions);
	if (c->form != RULE_BEFORE && c->form != RULE_EVERY &&
	    c->form != RULE_ONLY)
		return;
	if (c->stages[0].list->kind != RULE_IS_CALL)
		return;
	positive = arena_push(p->arena, p->positive, p->npositive);
	positive->group = g;
	positive->claim = c;
	positive->mention = mention_of(p, c->stages[0].list, mentions);
	/* The machine has the claim that brackets copy. */
	g->machines[c->machine]->positive = p->npositive;
	*arena_push(p->arena, g->positive, g->npositive) =
	    g->machines[c->machine];
}

/* ---- names ---- */

struct place
rule_place(const struct rule_mention *m)
{
	return (struct place){
		.file = m->file, .line = m->line, .column = m->column
	};
}

struct report {
	const struct rule_program *program;
	const struct rule_tools *tools;
	struct arena arena;
	rule_reporter *mistake;
	bool mistaken; /* the mention has a mistake */
	/* Names of calls that no run has, for one warning: */
	struct place first;
	struct str names; /* in quotes, with commas */
	struct hash_table known;
};

static void
add_uncalled(struct report *r, const struct rule_mention *m, struct str name)
{
	if (!hash_is_new(&r->known, name))
		return;
	if (r->names.n == 0)
		r->first = rule_place(m);
	r->names = str_printf(&r->arena, "%.*s%s'%.*s'", STR_FMT(r->names),
	    r->names.n == 0 ? "" : ", ", STR_FMT(name));
}

/* Reports a glob that fits no call, and to whose name another is near. */
static void
report_glob(struct report *r, const struct rule_mention *m, struct str glob,
    bool others)
{
	struct suggest near = suggest_for(glob);
	bool edited;

	for (size_t i = 0; i < r->tools->nnames; i++)
		if (!rule_call_fits(m->call, r->tools->names[i]))
			suggest_try(&near, r->tools->names[i]);
	if (near.best.s == NULL) {
		if (!others)
			add_uncalled(r, m, glob);
		return;
	}
	edited = near.distance <= (glob.n >= EDITED_LEAST);
	r->mistaken |= edited;
	(edited ? r->mistake : diag_warn)(rule_place(m),
	    "no run calls '%.*s'%s", STR_FMT(glob),
	    suggest_text(&near, &r->arena));
}

/* Returns whether the rule has the glob, which is not one of a role's tools. */
static bool
is_written(const struct rule_call *call, struct str glob)
{
	for (size_t i = 0; i < call->plain.n; i++)
		if (str_eq(call->plain.list[i], glob))
			return true;
	return !call->by_role;
}

/* Reports the globs of a mentioned call that fit no call. Of a check that passes
 * without the call, only a name that is nearly that of a call is worth a warning. */
static void
report_globs(struct report *r, const struct rule_mention *m, bool positive)
{
	bool others = m->of_check || positive;

	for (size_t k = 0; k < m->call->nglobs; k++)
		others |= r->tools->met[m->call->numbers[k]];
	if (!others && m->call->nglobs > 1)
		add_uncalled(r, m, m->call->names);
	if (!others && m->call->nglobs > 1 && m->call->plain.n != 1)
		return;
	for (size_t k = 0; k < m->call->nglobs; k++)
		if (!r->tools->met[m->call->numbers[k]] &&
		    is_written(m->call, m->call->globs[k]))
			report_glob(r, m, m->call->globs[k],
			    others || m->call->nglobs > 1);
}

/* Reports a positive claim that applied to no call. */
static void
report_positive(struct report *r, const struct rule_positive *p)
{
	const struct rule_mention *m = &r->program->mentions[p->mention];

	if (p->claim->form == RULE_ONLY)
		r->mistake(rule_place(m),
		    "the rule decided nothing: no run has a call");
	else
		r->mistake(rule_place(m),
		    "the rule decided nothing: no run has a call '%.*s'",
		    STR_FMT(m->call->written));
}

/* Returns whether the claim applied to no call, although there were runs for it. */
static bool
is_idle(const struct report *r, size_t positive)
{
	const struct rule_positive *p = &r->program->positive[positive];

	if (!r->tools->groups[p->group->number])
		return false;
	return p->claim->form == RULE_ONLY ? r->tools->nnames == 0
					   : !r->tools->applied[positive + 1];
}

/* The positive claims and the arguments have the order of the mentions. */
static void
report_all(struct report *r)
{
	const struct rule_program *p = r->program;
	size_t positive = 0, asked = 0;

	for (size_t i = 0; i < p->nmentions; i++) {
		bool idle = positive < p->npositive &&
		    p->positive[positive].mention == i;

		idle = idle && is_idle(r, positive++);
		r->mistaken = false;
		report_globs(r, &p->mentions[i], idle);
		if (asked < p->nasked && p->asked[asked].mention == i)
			asked = rule_arguments_report(
			    p, asked, r->tools, r->mistake, &r->mistaken);
		if (idle && !r->mistaken)
			report_positive(r, &p->positive[positive - 1]);
	}
}

void
rule_report(
    const struct rule_program *p, const struct rule_tools *tools, bool strict)
{
	struct report r = { .program = p,
		.tools = tools,
		.mistake = strict ? diag_error : diag_warn };

	if (tools == NULL || tools->runs == 0)
		return;
	r.known.arena = &r.arena;
	if (tools->nnames != 0)
		qsort(tools->names, tools->nnames, sizeof *tools->names,
		    str_compare);
	report_all(&r);
	if (r.names.n != 0)
		diag_warn(r.first, "no run calls %.*s", STR_FMT(r.names));
	arena_free(&r.arena);
}
