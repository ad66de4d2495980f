/* The arguments that rules ask calls for. An argument that no such call has is
 * a likely mistake of the author: its condition never holds. */
#include "check/rule/run.h"

#include "base/diag.h"
#include "base/suggest.h"

enum { NAMES_MAX = 64, NAMES_SHOWN = 5 };

void
rule_argument_ask(struct rule_program *p, struct str name)
{
	*arena_push(p->arena, p->asked, p->nasked) =
	    (struct rule_asked){ p->nmentions - 1, name };
}

const size_t *
rule_arguments_of(const struct rule_program *p, const unsigned char *fits,
    struct arena *a, size_t *n)
{
	size_t *list = NULL;

	*n = 0;
	for (size_t i = 0; i < p->nasked; i++) {
		const struct rule_call *call =
		    p->mentions[p->asked[i].mention].call;
		enum rule_fit fit = RULE_NO;

		for (size_t k = 0; k < call->nglobs; k++)
			if (fits[call->numbers[k]] == RULE_YES)
				fit = RULE_YES;
		if (fit == RULE_YES)
			*arena_push(a, list, *n) = i;
	}
	return list;
}

static void
add_name(struct rule_argument *asked, struct str name, struct arena *a)
{
	for (size_t i = 0; i < asked->n; i++)
		if (str_eq(asked->names[i], name))
			return;
	if (asked->n < NAMES_MAX)
		*arena_push(a, asked->names, asked->n) = str_dup(a, name);
}

void
rule_arguments_note(const struct rule_run *run, const struct rule_name *name,
    struct rule_argument *arguments)
{
	const struct rule_program *p = run->group->program;
	const struct trace_call *call = &run->calls.list[run->at];

	/* Arguments that are not recorded, or cut short, show no mistake. */
	if (!json_is(call->args, JSON_OBJECT) ||
	    (run->steps_cut && call->step != NULL &&
		trace_step_cut(call->step, STR("args"))))
		return;
	for (size_t i = 0; i < name->nasked; i++) {
		struct rule_argument *asked = &arguments[name->asked[i]];

		if (!asked->met)
			asked->met = json_get(call->args,
					 p->asked[name->asked[i]].name) != NULL;
		if (asked->met)
			continue;
		asked->calls++;
		for (json_members(key, call->args))
			if (asked->n < NAMES_MAX)
				add_name(asked, json_text(key, run->arena),
				    &run->view->lasting.arena);
	}
}

void
rule_arguments_add(struct rule_argument *sum, const struct rule_argument *more,
    size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		sum[i].met |= more[i].met;
		sum[i].calls += more[i].calls;
		for (size_t k = 0; k < more[i].n; k++)
			add_name(&sum[i], more[i].names[k], a);
	}
}

/* Returns the suggestion for a name that no call has: the nearest name, or if
 * none is near, the names that there are. */
static struct str
what_there_is(
    struct str name, const struct rule_argument *asked, struct arena *a)
{
	struct suggest near = suggest_for(name);
	struct str shown;

	for (size_t i = 0; i < asked->n; i++)
		suggest_try(&near, asked->names[i]);
	if (near.best.s != NULL)
		return str_of(suggest_text(&near, a));
	if (asked->n == 0)
		return STR(" (no arguments)");
	shown = str_join(a, asked->names,
	    asked->n < NAMES_SHOWN ? asked->n : NAMES_SHOWN, STR(", "));
	return str_printf(a, " (arguments: %.*s%s)", STR_FMT(shown),
	    asked->n > NAMES_SHOWN ? ", ..." : "");
}

void
rule_arguments_report(const struct rule_program *p, size_t mention,
    const struct rule_argument *arguments, struct arena *a)
{
	const struct rule_mention *m = &p->mentions[mention];

	for (size_t i = 0; i < p->nasked; i++)
		if (p->asked[i].mention == mention && !arguments[i].met &&
		    arguments[i].calls != 0)
			diag_warn((struct place){ .file = m->file,
				      .line = m->line,
				      .column = m->column },
			    "no recorded call of '%.*s' has the argument "
			    "'%.*s'%.*s",
			    STR_FMT(m->call->names), STR_FMT(p->asked[i].name),
			    STR_FMT(what_there_is(
				p->asked[i].name, &arguments[i], a)));
}
