/* The arguments that rules ask calls for. An argument that no such call has is
 * a likely mistake of the author: its condition never holds. */
#include "check/rule/run.h"

#include <stdlib.h>

#include "base/diag.h"
#include "base/suggest.h"

enum { KEYS_MAX = 1 << 12, NAMES_SHOWN = 5 };

void
rule_argument_ask(struct rule_program *p, struct str name)
{
	*arena_push(p->arena, p->asked, p->nasked) =
	    (struct rule_asked){ p->nmentions - 1, name };
}

static bool
is_of(const struct rule_call *call, const unsigned char *fits)
{
	for (size_t k = 0; k < call->nglobs; k++)
		if (fits[call->numbers[k]] == RULE_YES)
			return true;
	return false;
}

struct rule_keys *
rule_keys_of(
    const struct rule_program *p, const unsigned char *fits, struct arena *a)
{
	struct rule_keys *keys = arena_new(a, struct rule_keys);

	keys->known.arena = a;
	for (size_t i = 0; i < p->nasked; i++) {
		void **slot;

		if (!is_of(p->mentions[p->asked[i].mention].call, fits))
			continue;
		slot = hash_put(&keys->known, p->asked[i].name);
		keys->wanted += *slot == NULL;
		*slot = keys; /* not seen so far */
	}
	return keys;
}

static void
add_key(struct rule_keys *keys, struct str name, struct arena *a)
{
	void **slot = hash_put_copy(&keys->known, name);

	if (*slot == &keys->n)
		return;
	keys->wanted -= *slot == keys;
	*slot = &keys->n; /* seen */
	*arena_push(a, keys->list, keys->n) = str_dup(a, name);
	keys->many |= keys->n > KEYS_MAX;
}

void
rule_keys_note(const struct rule_run *run, struct rule_keys *keys)
{
	const struct trace_call *call = &run->calls.list[run->at];

	/* Arguments that are not recorded, or cut short, show no mistake. */
	if (keys->many || !json_is(call->args, JSON_OBJECT) ||
	    (run->steps_cut && call->step != NULL &&
		trace_step_cut(call->step, STR("args"))))
		return;
	keys->called = true;
	for (json_members(key, call->args))
		add_key(keys, json_text(key, run->arena), keys->known.arena);
}

void
rule_keys_add(struct rule_keys *sum, const struct rule_keys *more)
{
	sum->called |= more->called;
	sum->many |= more->many;
	for (size_t i = 0; i < more->n; i++)
		add_key(sum, more->list[i], sum->known.arena);
}

/* Returns the suggestion for a name that no call has: the nearest name, or if
 * none is near, the names that there are. */
static struct str
what_there_is(struct str name, struct str *list, size_t n, struct arena *a)
{
	struct suggest near = suggest_for(name);
	struct str shown;

	if (n != 0)
		qsort(list, n, sizeof *list, str_compare);
	for (size_t i = 0; i < n; i++)
		suggest_try(&near, list[i]);
	if (near.best.s != NULL)
		return str_of(suggest_text(&near, a));
	if (n == 0)
		return STR(" (no arguments)");
	shown = str_join(a, list, n < NAMES_SHOWN ? n : NAMES_SHOWN, STR(", "));
	return str_printf(a, " (arguments: %.*s%s)", STR_FMT(shown),
	    n > NAMES_SHOWN ? ", ..." : "");
}

static bool
has(const struct rule_keys *keys, struct str name)
{
	return keys->many || hash_get(&keys->known, name) != NULL;
}

/* Returns whether calls that the mention describes have arguments, but none has this
 * one; then *keys are those that they have. */
static bool
is_unmet(const struct rule_call *call, struct str name,
    const struct rule_tools *tools, struct rule_keys *keys)
{
	for (size_t i = 0; i < tools->n; i++) {
		const struct rule_tool *t = &tools->tools[i];

		if (!t->keys->called || !is_of(call, t->fits))
			continue;
		if (has(t->keys, name))
			return false;
		keys->called = true;
	}
	for (size_t i = 0; i < tools->n && keys->called; i++)
		if (is_of(call, tools->tools[i].fits))
			rule_keys_add(keys, tools->tools[i].keys);
	return keys->called;
}

size_t
rule_arguments_report(const struct rule_program *p, size_t from,
    const struct rule_tools *tools, rule_reporter *report, bool *any)
{
	size_t mention = p->asked[from].mention;
	const struct rule_mention *m = &p->mentions[mention];
	struct arena a = { 0 };

	for (; from < p->nasked && p->asked[from].mention == mention; from++) {
		struct rule_keys keys = { .known.arena = &a };
		struct str name = p->asked[from].name;

		if (tools->many || !is_unmet(m->call, name, tools, &keys))
			continue;
		*any = true;
		report(rule_place(m),
		    "no recorded call of '%.*s' has the argument "
		    "'%.*s'%.*s",
		    STR_FMT(m->call->names), STR_FMT(name),
		    STR_FMT(what_there_is(name, keys.list, keys.n, &a)));
	}
	arena_free(&a);
	return from;
}
