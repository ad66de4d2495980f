/* Writes the additions to all files as a diff. */
#include "check/advice/additions.h"
#include "check/advice/permissions.h"
#include "check/advice/runs.h"

#include <string.h>

/* ---- where additions belong ---- */

/* The list that additions go into, or the mapping that lacks it. */
struct target {
	const struct document *doc;
	const struct json *list;   /* NULL: there is none */
	const struct json *object; /* that lacks the list */
	const char *key;
};

/* Returns whether this value is the assertion, or the mapping around the
 * assertion's name. */
static bool
is_assertion(const struct json *v, const struct json *assertion)
{
	for (json_members(key, v))
		if (key == assertion ||
		    (json_value(key) == assertion &&
			json_is(assertion, JSON_STRING)))
			return true;
	return v == assertion;
}

/* Returns whether the scenario's value is one of its assertions. */
static bool
is_lone(const struct scenario *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->checks[i].source.keys != NULL &&
		    is_assertion(s->object, s->checks[i].source.value))
			return true;
	return false;
}

/* Follows the path from the scenario's value. The first name of MCPLab's paths is
 * left out where the value has the content of an eval. */
static struct target
find_target(const struct scenario *s, const char *where)
{
	struct target t = { .doc = s->doc };
	struct str path = str_of(where);

	if (json_is(s->object, JSON_ARRAY)) {
		t.list = s->object;
		return t;
	}
	if (is_lone(s))
		return t;
	t.object = s->object;
	if (str_starts(path, "eval.") && !json_has(t.object, "eval"))
		path = json_has(t.object, "id") || json_has(t.object, "prompt")
		    ? str_of(NULL)
		    : str_from(path, 5);
	while (path.s != NULL) {
		const struct json *next;

		t.key = path.s;
		next = json_get(t.object, str_cut(&path, '.'));
		if (path.s == NULL)
			t.list = next;
		else if (next != NULL)
			t.object = next;
		else
			break;
	}
	return t;
}

/* ---- one set ---- */

/* Returns the value of several tools for tool_constraints, which is not there
 * yet. */
static struct edit_value
constraints(struct arena *a, const struct edit_values *values)
{
	struct edit_value all = values->list[0];
	struct str *names = arena_new_n(a, struct str, values->n), joined;

	for (size_t i = 0; i < values->n; i++)
		names[i] = values->list[i].json;
	joined = str_join(a, names, values->n, STR(", "));
	all.json =
	    str_printf(a, "{\"required_tools\": [%.*s]}", STR_FMT(joined));
	all.yaml = str_printf(a, "{required_tools: [%.*s]}", STR_FMT(joined));
	return all;
}

static enum edit_result
edit(struct edits *e, const struct target *t, const char *where,
    struct edit_values *values)
{
	struct edit_value one;

	values->single = str_ends(str_of(where), "tool_sequence");
	if (t->list != NULL)
		return values->single ? EDIT_NO_PLACE
				      : edit_append(e, t->doc, t->list, values);
	if (t->key == NULL)
		return EDIT_NO_PLACE;
	if (str_starts(str_of(t->key), "tool_constraints.")) {
		one = constraints(e->arena, values);
		return edit_member(e, t->doc, t->object, "tool_constraints",
		    &(struct edit_values){ &one, 1, true });
	}
	return edit_member(e, t->doc, t->object, t->key, values);
}

/* Additions that belong to the same list, by its path. */
struct group {
	const char *where;
	struct edit_values values;
};

static void
edit_rules(struct edits *e, const struct additions *all)
{
	const struct scenario *s = all->set->scenario;
	struct edit_values values = { 0 };
	size_t line =
	    s->n == 0 ? s->place.line : s->checks[s->n - 1].source.place.line;

	for (size_t i = 0; i < all->n; i++)
		*arena_push(e->arena, values.list, values.n) =
		    all->list[i].written.value;
	if (all->n != 0)
		(void)edit_lines(e, s->doc, line, &values);
}

/* Makes the changes, and warns of those that no comment tells of. */
static void
edit_changes(struct edits *e, const struct additions *all)
{
	for (size_t i = 0; i < all->nchanges; i++) {
		const struct change *c = &all->changes[i];
		const struct check *old = all->set->items[c->of].check;
		struct str reasons = str_join(e->arena, c->members.reasons,
			       c->members.nreasons, STR("; ")),
			   now = c->check->source.value->text;
		enum edit_result result =
		    edit_change(e, old->source.doc, &c->members);

		if (result != EDIT_COMMENTED)
			diag_warn(old->source.place, "%s: %.*s: %.*s",
			    result == EDIT_SILENT
				? "changed"
				: "not changed, since there is no place",
			    STR_FMT(reasons), STR_FMT(now));
	}
}

static void
edit_set(struct edits *e, const struct additions *all)
{
	const struct scenario *s = all->set->scenario;
	struct group *groups = arena_new_n(e->arena, struct group, all->n);
	size_t n = 0, k;

	edit_changes(e, all);
	for (size_t i = 0; i < all->n; i++) {
		struct advice_written *one = &all->list[i].written;

		for (k = 0; k < n && strcmp(groups[k].where, one->where) != 0;)
			k++;
		if (k == n)
			groups[n++].where = one->where;
		*arena_push(e->arena, groups[k].values.list,
		    groups[k].values.n) = one->value;
	}
	for (size_t i = 0; i < n; i++) {
		struct target t = find_target(s, groups[i].where);
		enum edit_result result =
		    edit(e, &t, groups[i].where, &groups[i].values);

		if (result != EDIT_COMMENTED)
			edit_say(document_place(t.doc,
				     t.list != NULL ? t.list : s->object),
			    &groups[i].values, result == EDIT_SILENT);
	}
}

/* ---- all files ---- */

/* Returns whether the assertions are parts of a score, or a program of the author
 * makes the verdict: one more assertion would change what they mean. */
static bool
is_scored(const struct scenario *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_is(s->checks[i].type, "threshold") ||
		    str_is(s->checks[i].type, "assertScoringFunction"))
			return true;
	return false;
}

/* Returns whether the set can be continued: parts of files without a scenario
 * around them have no room for what is about the whole run. */
static bool
is_whole(const struct scenario *s, enum advice_style style)
{
	if (style == STYLE_PROMPTFOO)
		return !is_scored(s);
	if (style != STYLE_PROMPTKIT)
		return true;
	return json_has(s->object, "turns") || json_has(s->object, "steps") ||
	    json_has(s->object, "conversation_assertions");
}

static void
refine(struct edits *e, const struct spec_scenarios *file,
    const struct scenario *s, const struct advice_runs *runs,
    unsigned priorities)
{
	struct advice_set set = advice_set_of(e->arena, s, file->dialect);
	struct additions all = { .arena = e->arena, .priorities = priorities };

	set.shown = advice_shown_of(runs, s);
	all.set = &set;
	all.style = advice_style_of(file->dialect->name, s);
	/* The set of AgentV's file, or of a table. */
	if (all.style == STYLES ||
	    (all.style == STYLE_PROMPTFOO && s->object == NULL))
		return;
	all.has = all.style == STYLE_RULES ? rules_families(s) : set.families;
	additions_begin(&all);
	if (all.style == STYLE_RULES && s->n == 0 && file->n > 1)
		return;
	if (is_whole(s, all.style))
		additions_complete(&all);
	if (all.style == STYLE_RULES) {
		edit_rules(e, &all);
		return;
	}
	additions_harden(&all);
	additions_review(&all);
	edit_set(e, &all);
}

void
advise_diff(struct out *o, const struct spec *spec,
    const struct advice_runs *runs, unsigned priorities)
{
	struct arena a = { 0 };
	struct edits e = { .arena = &a };

	for (size_t i = 0; i < spec->n; i++) {
		struct spec_scenarios file = spec_scenarios_of(spec, i);

		if (priorities >> advice_table[ASKED_PERMISSION].priority & 1)
			permissions_edit(
			    &e, spec, i, advice_runs_permissions(runs));
		if (permissions_of(spec, &file) != NULL)
			continue;
		for (size_t k = 0; file.dialect != NULL && k < file.n; k++)
			refine(&e, &file, &file.list[k], runs, priorities);
	}
	edit_diff(o, &e);
	arena_free(&a);
}
