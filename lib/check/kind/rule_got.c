/* What was there in place of what a rule wants: calls with their arguments and
 * places; for an absence, what was called. */
#include "check/kind/rule_run.h"

#include <stdlib.h>

#include "base/suggest.h"

enum {
	ARGUMENTS_SHOWN = 120, /* bytes */
	TOOLS_SHOWN = 8,
};

/* ---- places ---- */

/* Writes the step's place among the steps, as 3 or, within call 3, as 3.1.
 * Returns whether it is there. */
static bool
put_step(struct out *o, const struct json *steps, const struct json *step)
{
	size_t n = 1;

	for (json_each(s, steps)) {
		if (s <= step && step < s + s->span) {
			out_printf(o, "%zu", n);
			if (s == step)
				return true;
			out_char(o, '.');
			return put_step(o, json_get(s, "steps"), step);
		}
		n++;
	}
	return false;
}

/* Returns where the call is: its number, turn and step, from 1. */
static struct str
place_of(struct rule_run *run, size_t call)
{
	const struct trace_call *c = &run->calls.list[call];
	const struct json *turns = run->view->trace->member[TRACE_TURNS];
	struct out o;

	out_open_memory(&o);
	out_printf(&o, "call %zu", call + 1);
	if (c->step != NULL) {
		out_printf(&o, ", turn %zu, step ", c->turn + 1);
		put_step(
		    &o, json_get(json_at(turns, c->turn), "steps"), c->step);
	}
	return out_keep(&o, run->arena);
}

/* ---- calls ---- */

struct str
rule_shown_call(struct str tool, const struct json *args, struct arena *a)
{
	struct out o;
	struct str text;

	if (args == NULL)
		return tool;
	out_open_memory(&o);
	out_source(&o, args->text);
	text = out_keep(&o, a);
	return str_printf(a, "%.*s %.*s", STR_FMT(tool),
	    STR_FMT(str_ellipsize(a, text, ARGUMENTS_SHOWN)));
}

struct str
rule_got_call(struct rule_run *run, size_t call)
{
	const struct trace_call *c = &run->calls.list[call];

	return str_printf(run->arena, "%.*s (%.*s)",
	    STR_FMT(rule_shown_call(c->tool, c->args, run->arena)),
	    STR_FMT(place_of(run, call)));
}

/* ---- absences ---- */

struct tool_count {
	struct str tool;
	size_t n, first;
};

static int
by_count(const void *one, const void *other)
{
	const struct tool_count *a = one, *b = other;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static struct tool_count *
count_tools(struct trace_calls calls, struct arena *a, size_t *n)
{
	struct hash_table by_name = { .arena = a };
	struct tool_count *list = arena_new_n(a, struct tool_count, calls.n);

	*n = 0;
	for (size_t i = 0; i < calls.n; i++) {
		void **slot = hash_put(&by_name, calls.list[i].tool);
		struct tool_count *c = *slot;

		if (c == NULL) {
			*slot = c = &list[(*n)++];
			c->tool = calls.list[i].tool;
			c->first = i;
		}
		c->n++;
	}
	qsort(list, *n, sizeof *list, by_count);
	return list;
}

struct str
rule_got_tools(struct trace_calls calls, struct arena *a)
{
	size_t n;
	struct tool_count *list = count_tools(calls, a, &n);
	struct out o;

	if (n == 0)
		return STR("no call");
	out_open_memory(&o);
	for (size_t i = 0; i < n && i < TOOLS_SHOWN; i++)
		out_printf(&o, "%s%.*s x %zu", i == 0 ? "" : ", ",
		    STR_FMT(list[i].tool), list[i].n);
	if (n > TOOLS_SHOWN)
		out_printf(&o, ", %zu more tools", n - TOOLS_SHOWN);
	return out_keep(&o, a);
}

/* Returns " (did you mean ...?)" for a call that is missing, of a tool that none
 * of its globs fits. */
static const char *
nearest(struct rule_run *run, const struct rule_call *call)
{
	struct suggest best = { 0 };

	for (size_t i = 0; i < call->nglobs; i++) {
		struct suggest near = suggest_for(call->globs[i]);

		for (size_t k = 0; k < run->calls.n; k++) {
			const struct trace_call *c = &run->calls.list[k];

			if (rule_glob_fits(call->globs[i], c->tool))
				return "";
			suggest_try(&near, c->tool);
			if (c->name.s != NULL)
				suggest_try(&near, c->name);
		}
		if (near.best.s != NULL)
			best = near;
	}
	return suggest_text(&best, run->arena);
}

static struct str
missing(struct rule_run *run, struct rule_calls calls)
{
	struct arena *a = run->arena;
	struct str *list = arena_new_n(a, struct str, calls.n);

	for (size_t i = 0; i < calls.n; i++)
		list[i] =
		    str_printf(a, "%.*s%s", STR_FMT(calls.list[i].written),
			nearest(run, &calls.list[i]));
	return str_join(a, list, calls.n, STR(", "));
}

/* ---- claims about calls ---- */

/* Returns the calls of the longest beginning of a chain. */
static const struct rule_entry *
longest(const struct rule_claim *c, const struct rule_state *s, size_t *stage)
{
	for (*stage = c->nstages - 1; *stage > 0; (*stage)--) {
		const struct rule_entry *e = s->bags == NULL
		    ? NULL
		    : rule_bag_best(&s->bags[*stage - 1]);

		if (e != NULL)
			return e;
	}
	return NULL;
}

static struct str
got_no_chain(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	struct arena *a = run->arena;
	size_t stage;
	const struct rule_entry *e = longest(c, s, &stage);
	struct str called = rule_got_tools(run->calls, a);
	struct str lacks = missing(run, c->stages[stage]);

	if (e == NULL)
		return str_printf(
		    a, "%.*s; no %.*s", STR_FMT(called), STR_FMT(lacks));
	return str_printf(a, "%.*s, then no %.*s; in all %.*s",
	    STR_FMT(rule_got_call(run, e->call)), STR_FMT(lacks),
	    STR_FMT(called));
}

static struct str
got_chain(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	struct str call = rule_got_call(run, s->call);

	if (s->other == SIZE_MAX)
		return call;
	return str_printf(run->arena, "%.*s after %.*s", STR_FMT(call),
	    STR_FMT(rule_got_call(run, s->other)));
}

/* Returns the call that the claim needs others for, and that they are not
 * there. */
static struct str
got_alone(struct rule_run *run, const struct rule_claim *c, const char *where)
{
	const struct rule_state *s = &run->states[c->machine];

	return str_printf(run->arena, "%.*s, with no %.*s %s it",
	    STR_FMT(rule_got_call(run, s->call)),
	    STR_FMT(missing(run, c->stages[1])), where);
}

static struct str
got_count(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	bool row = c->form == RULE_ROW;

	if (s->call == SIZE_MAX)
		return str_printf(run->arena, "0 calls; %.*s",
		    STR_FMT(rule_got_tools(run->calls, run->arena)));
	return str_printf(run->arena, "%zu %s%s, among them %.*s", s->sure,
	    s->sure == 1 ? "call" : "calls", row ? " in a row" : "",
	    STR_FMT(rule_got_call(run, s->call)));
}

static struct str
got_calls(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	switch (c->form) {
	case RULE_CHAIN:
		return run->states[c->machine].decided ? got_chain(run, c)
						       : got_no_chain(run, c);
	case RULE_COUNT:
	case RULE_ROW:
		return got_count(run, c);
	default:
		break;
	}
	if (holds)
		return rule_got_tools(run->calls, run->arena);
	if (c->form == RULE_BEFORE)
		return got_alone(run, c, "before");
	if (c->form == RULE_EVERY)
		return got_alone(run, c, "after");
	if (c->form == RULE_SAME)
		return rule_got_same(run, c);
	return rule_got_call(run, run->states[c->machine].call);
}

/* ---- all claims ---- */

/* Joins what each part got that has this truth. */
static struct str
got_parts(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	struct str *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < c->nparts; i++) {
		struct rule_outcome o = rule_decide(run, c->parts[i]);

		if (o.truth == (holds ? RULE_TRUE : RULE_FALSE))
			*arena_push(run->arena, list, n) =
			    rule_got(run, c->parts[i], holds);
		if (n != 0 && holds == (c->form == RULE_OR))
			break;
	}
	return str_join(run->arena, list, n, STR("; "));
}

struct str
rule_got(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	if (c->form <= RULE_LAST_OF_CALLS)
		return got_calls(run, c, holds);
	switch (c->form) {
	case RULE_NOT:
		return rule_got(run, c->parts[0], !holds);
	case RULE_OR:
	case RULE_AND:
		return got_parts(run, c, holds);
	case RULE_CALLS:
	case RULE_ERRORS:
	case RULE_TURNS:
	case RULE_TOKENS:
	case RULE_COST:
	case RULE_TIME:
		return rule_got_amount(run, c);
	case RULE_JUDGE:
		return STR("");
	default:
		return rule_got_text(run, c, holds);
	}
}
