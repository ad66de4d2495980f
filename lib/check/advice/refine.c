/* Writes the additions to all files as a diff. */
#include "check/advice/additions.h"
#include "check/advice/runs.h"

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

static bool
holds(const struct json *v, const struct json *assertion)
{
	return v != NULL && assertion >= v && assertion < v + v->span;
}

/* Returns the element or value of the container that the assertion is in; NULL if
 * there is none. */
static const struct json *
child_around(const struct json *v, const struct json *assertion)
{
	for (json_each(one, v))
		if (holds(one, assertion))
			return one;
	for (json_members(key, v))
		if (holds(json_value(key), assertion))
			return json_value(key);
	return NULL;
}

/* Returns the document of the assertion, which may be another one than the
 * scenario's. */
static const struct document *
doc_of(const struct scenario *s, const struct json *assertion)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->checks[i].source.value == assertion &&
		    s->checks[i].source.doc != NULL)
			return s->checks[i].source.doc;
	return s->doc;
}

/* Returns the innermost list that the assertion is an element of: one of the
 * scenario, or one that scenarios share. */
static const struct json *
list_around(const struct scenario *s, const struct json *assertion)
{
	const struct document *doc = doc_of(s, assertion);
	const struct json *v = s->object, *found = NULL;

	for (size_t i = 0; !holds(v, assertion) && i < doc->n; i++)
		v = doc->roots[i];
	while (holds(v, assertion)) {
		const struct json *inner = child_around(v, assertion);

		if (json_is(v, JSON_ARRAY) && is_assertion(inner, assertion))
			found = v;
		v = inner;
	}
	return found;
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

static const struct json *
place_value(const struct target *t, const struct json *object)
{
	return t->list != NULL ? t->list : object;
}

/* Reports the additions that have no comment in the file, or no place. */
static void
report(const struct target *t, const struct json *object,
    enum edit_result result, const struct edit_values *values)
{
	struct place at = document_place(t->doc, place_value(t, object));

	for (size_t i = 0; i < values->n && result != EDIT_COMMENTED; i++) {
		const struct edit_value *v = &values->list[i];

		if (result == EDIT_SILENT)
			diag_warn(at, "added: %.*s: %.*s", STR_FMT(v->reason),
			    STR_FMT(v->json));
		else
			diag_warn(at,
			    "not added, since there is no place: %.*s: %.*s",
			    STR_FMT(v->reason), STR_FMT(v->json));
	}
}

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

static bool
belongs(const struct addition *x, const struct addition *y,
    const struct scenario *s)
{
	if (x->beside == NULL || y->beside == NULL)
		return x->beside == y->beside &&
		    x->written.where == y->written.where;
	return list_around(s, x->beside) == list_around(s, y->beside);
}

static void
push(struct arena *a, struct edit_values *values, const struct addition *one)
{
	*arena_push(a, values->list, values->n) = one->written.value;
}

/* Edits the file for the additions that belong to the same list as one of
 * them. */
static void
edit_list(struct edits *e, const struct additions *all, size_t first)
{
	const struct scenario *s = all->set->scenario;
	const struct addition *one = &all->list[first];
	struct edit_values values = { 0 };
	struct target t = { .doc = s->doc };
	enum edit_result result;

	for (size_t i = first; i < all->n; i++)
		if (belongs(one, &all->list[i], s))
			push(e->arena, &values, &all->list[i]);
	if (one->beside != NULL) {
		t.doc = doc_of(s, one->beside);
		t.list = list_around(s, one->beside);
	} else {
		t = find_target(s, one->written.where);
	}
	result = edit(e, &t, one->written.where, &values);
	report(&t, s->object, result, &values);
}

static void
edit_rules(struct edits *e, const struct additions *all)
{
	const struct scenario *s = all->set->scenario;
	struct edit_values values = { 0 };
	size_t line =
	    s->n == 0 ? s->place.line : s->checks[s->n - 1].source.place.line;

	for (size_t i = 0; i < all->n; i++)
		push(e->arena, &values, &all->list[i]);
	(void)edit_lines(e, s->doc, line, &values);
}

static void
edit_set(struct edits *e, const struct additions *all)
{
	const struct scenario *s = all->set->scenario;

	if (all->n == 0)
		return;
	if (all->style == STYLE_RULES) {
		edit_rules(e, all);
		return;
	}
	for (size_t i = 0; i < all->n; i++) {
		bool done = false;

		for (size_t k = 0; k < i; k++)
			done |= belongs(&all->list[i], &all->list[k], s);
		if (!done)
			edit_list(e, all, i);
	}
}

/* ---- all files ---- */

/* Returns whether the set is of the kind that mcp-eval's datasets have. */
static bool
has_evaluators(const struct scenario *s)
{
	if (json_has(s->object, "assertions"))
		return false;
	if (json_has(s->object, "evaluators") ||
	    json_has(s->object, "inputs") || json_has(s->object, "cases"))
		return true;
	return s->n != 0 && s->checks[0].type.n != 0 &&
	    *s->checks[0].type.s >= 'A' && *s->checks[0].type.s <= 'Z';
}

static enum advice_style
style_of(const struct dialect *d, const struct scenario *s)
{
	if (d == &dialect_rules)
		return STYLE_RULES;
	if (d == &dialect_mcp_eval)
		return has_evaluators(s) ? STYLE_EVALUATORS : STYLE_KINDS;
	if (d == &dialect_mcplab)
		return STYLE_MCPLAB;
	if (d == &dialect_promptfoo)
		return STYLE_PROMPTFOO;
	return d == &dialect_evolve ? STYLE_EVOLVE : STYLE_PROMPTKIT;
}

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
    const struct scenario *s, const struct advice_runs *runs)
{
	static const struct advice_dialect of_rules = { .name = "rules" };
	static const struct advice_type none[] = { { 0 } };
	struct advice_dialect plain = of_rules;
	const struct advice_dialect *d =
	    advice_dialect_of(str_of(file->dialect->name));
	struct advice_set set;
	struct additions all = { .arena = e->arena };

	plain.types = none;
	set = advice_set_of(e->arena, s, d == NULL ? &plain : d);
	set.shown = advice_shown_of(runs, s);
	all.set = &set;
	all.style = style_of(file->dialect, s);
	/* The set of AgentV's file, or of a table. */
	if (all.style == STYLE_PROMPTFOO && s->object == NULL)
		return;
	all.has = all.style == STYLE_RULES ? rules_families(s) : set.families;
	if (all.style == STYLE_RULES && s->n == 0 && file->n > 1)
		return;
	if (is_whole(s, all.style))
		additions_complete(&all);
	if (all.style != STYLE_RULES)
		additions_harden(&all);
	edit_set(e, &all);
}

void
advise_diff(
    struct out *o, const struct spec *spec, const struct advice_runs *runs)
{
	struct arena a = { 0 };
	struct edits e = { .arena = &a };

	for (size_t i = 0; i < spec->n; i++) {
		struct spec_scenarios file = spec_scenarios_of(spec, i);

		for (size_t k = 0; file.dialect != NULL && k < file.n; k++)
			refine(&e, &file, &file.list[k], runs);
	}
	edit_diff(o, &e);
	arena_free(&a);
}
