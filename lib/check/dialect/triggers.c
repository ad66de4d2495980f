/*
 * Trigger evals: queries, and whether an agent should use a skill for each. People write
 * them in many shapes, which differ in the names of a few members.
 */
#include "check/dialect/dialect.h"
#include "check/kind/kind.h"
#include "io/out.h"

/* ---- names of members ---- */

/* The first present one of the names counts. */
static const char queries[] = "query prompt input q phrase text";
static const char wishes[] =
    "should_trigger should_fire should_activate expected_trigger positive "
    "trigger expected expect expected_skills";
static const char positives[] =
    "should_trigger should_activate must_activate should_fire should positive "
    "positives should_trigger_prompts";
static const char negatives[] =
    "should_not_trigger should_not_activate should_not_fire should_not "
    "negative negatives near_miss near_misses should_not_trigger_prompts";
static const char lists[] =
    "triggers cases test_cases queries prompts evals tests near_neighbors";
static const char names[] = "skill_name skill target";
static const char forbidden[] = "forbid forbidden_skills";

/* ---- a wish ---- */

enum polarity { UNKNOWN, USED, UNUSED, ROUTED /* the value names skills */ };

static enum polarity
polarity_of(const struct json *v, struct arena *a)
{
	static const char used[] =
	    "trigger triggers yes true positive activate fire";
	static const char unused[] =
	    "not no false negative none do_not_trigger not_trigger no_trigger "
	    "should_not_trigger do_not_activate";

	if (json_is(v, JSON_TRUE))
		return USED;
	if (json_is(v, JSON_FALSE))
		return UNUSED;
	if (json_is(v, JSON_STRING)) {
		struct str text = json_text(v, a);

		return str_is_one_of(text, used)  ? USED
		    : str_is_one_of(text, unused) ? UNUSED
						  : ROUTED;
	}
	return json_is(v, JSON_ARRAY) || json_is(v, JSON_NULL) ? ROUTED
							       : UNKNOWN;
}

/* ---- checks ---- */

struct wish {
	struct str skill;
	bool used;
};

struct file {
	struct scenarios *scenarios;
	size_t n; /* queries */
};

/* Sets the reason, and in the metadata what mcpl-report counts. */
static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	const struct trigger_want *w = c->want;
	struct out o;

	out_open_json(&o, '{');
	if (w->skill.s != NULL)
		out_member_str(&o, "skill", w->skill);
	out_member_bool(&o, "should_trigger", !c->negate);
	out_member_bool(&o, "triggered", f->found == FOUND_YES);
	if (f->found == FOUND_YES)
		out_member_str(&o, "by", f->why);
	r->metadata = out_keep_json(&o, '}', v->arena);
	if (r->status != STATUS_FAILED)
		return;
	if (f->found == FOUND_YES && f->cause.s != NULL)
		r->got = f->cause;
	r->reason = str_printf(
	    v->arena, "%.*s: %.*s", STR_FMT(c->label), STR_FMT(f->why));
}

static void
add_wish(struct file *f, struct str skill, bool used, const struct json *at)
{
	struct arena *a = f->scenarios->arena;
	struct trigger_want want = { .skill = skill };
	struct check c = trigger_check(a, &want);

	c.negate = !used;
	c.type = STR("trigger");
	c.label =
	    str_printf(a, "%s %.*s", used ? "triggers" : "does not trigger",
		STR_FMT(skill.s == NULL ? STR("a skill") : skill));
	c.explain = explain;
	scenarios_add_check(f->scenarios, c, at);
}

static void
mistake(struct file *f, const struct json *v, const char *what)
{
	document_report(f->scenarios->doc, MISTAKE_REFUSES, v,
	    "trigger eval: expected %s, found %s", what, json_type_name(v));
}

/* Adds a wish for each skill that a value names: a name, a list, or null for none. */
static void
add_named(
    struct file *f, const struct json *v, bool used, const struct json *at)
{
	struct arena *a = f->scenarios->arena;

	if (json_is(v, JSON_STRING))
		add_wish(f, json_text(v, a), used, at);
	else if (v != NULL && !json_is(v, JSON_ARRAY) && !json_is(v, JSON_NULL))
		mistake(f, v, "the name of a skill");
	for (json_each(name, json_is(v, JSON_ARRAY) ? v : NULL))
		add_named(f, name, used, at);
	if (used &&
	    (json_is(v, JSON_NULL) ||
		(json_is(v, JSON_ARRAY) && json_count(v) == 0)))
		add_wish(f, (struct str){ 0 }, false, at);
}

/* ---- queries ---- */

/* Adds an error if a key would turn the wish. */
static void
look_for_turns(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "query");

	e.any_key = true;
	fields_check_within(&e, v, NULL);
	scenarios_end_object(r, &e);
}

/* Reads a query: a text, whose list says what is wished (UNKNOWN: not), or an
 * object. */
static void
read_query(struct file *f, const struct json *v, struct str skill,
    enum polarity listed)
{
	struct scenarios *r = f->scenarios;
	const struct json *query =
	    json_is(v, JSON_STRING) ? v : scenarios_any(v, queries);
	const struct json *wish = scenarios_any(v, wishes),
			  *id = json_get(v, "id");
	const struct json *own = scenarios_any(v, names);
	enum polarity polarity = wish == NULL || listed != UNKNOWN
	    ? listed
	    : polarity_of(wish, r->arena);
	struct str text = json_text(query, r->arena);

	if (text.s == NULL || polarity == UNKNOWN) {
		mistake(f, v, "a query, and whether it should trigger");
		return;
	}
	f->n++;
	scenarios_begin(r, v,
	    json_is(id, JSON_STRING)
		? json_text(id, r->arena)
		: str_printf(r->arena, "queries[%zu]", f->n - 1),
	    text);
	if (json_is(v, JSON_OBJECT))
		look_for_turns(r, v);
	if (json_is(own, JSON_STRING))
		skill = json_text(own, r->arena);
	if (polarity == ROUTED)
		add_named(f, wish, true, v);
	else
		add_wish(f, skill, polarity == USED, v);
	add_named(f, scenarios_any(v, forbidden), false, v);
}

static bool read_value(struct file *, const struct json *, struct str skill);

/* Lets a schema know what a query in a list is. Of several names the first counts, so that
 * the values of others are of any kind. */
static void
note_query(const struct document *doc, const struct json *v, bool listed)
{
	static const char *const any[] = { queries, wishes, names, forbidden,
		"id" };

	fields_note_alike(doc, v, listed ? "listed" : "query");
	fields_note(
	    doc, v, NULL, IS(LIST) | IS(OBJECT) | (listed ? IS(TEXT) : 0));
	fields_note(doc, v, "query", IS(TEXT));
	fields_note(doc, v, "forbid", IS(TEXT) | IS(LIST));
	if (!listed)
		fields_note(
		    doc, v, "should_trigger", IS(BOOL) | IS(TEXT) | IS(LIST));
	for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
		fields_note(doc, v, any[i], IS(ANY));
}

static void
read_list(struct file *f, const struct json *list, struct str skill,
    enum polarity listed)
{
	for (json_each(v, list)) {
		note_query(f->scenarios->doc, v, listed != UNKNOWN);
		if (json_is(v, JSON_ARRAY))
			read_list(f, v, skill, listed);
		else if (json_is(v, JSON_OBJECT) &&
		    scenarios_any(v, queries) == NULL && listed == UNKNOWN)
			(void)read_value(f, v, skill);
		else
			read_query(f, v, skill, listed);
	}
}

/* Reads the lists of these names. Returns false if there is none. */
static bool
read_lists(struct file *f, const struct json *v, const char *keys,
    struct str skill, enum polarity listed)
{
	struct str rest = str_of(keys);
	bool any = false;

	while (rest.s != NULL) {
		const struct json *list = json_get(v, str_cut(&rest, ' '));

		if (list == NULL || json_is(list, JSON_NULL))
			continue;
		if (json_is(list, JSON_ARRAY))
			read_list(f, list, skill, listed);
		else
			mistake(f, list, "a list of queries");
		any = true;
	}
	return any;
}

/* Lets a schema know what lists of queries the file, or a part for a skill, has. */
static void
note_lists(const struct file *f, const struct json *v)
{
	const struct document *doc = f->scenarios->doc;

	fields_note(doc, v, NULL, IS(LIST) | IS(OBJECT));
	fields_note(doc, v, lists, IS(LIST));
	fields_note(doc, v, positives, IS(LIST));
	fields_note(doc, v, negatives, IS(LIST));
	fields_note(doc, v, "skills", IS(LIST) | IS(OBJECT) | IS(LOOSE));
	fields_note(doc, v, names, IS(ANY));
}

/* Reads a part of a file for one skill. */
static void
read_skill(struct file *f, const struct json *v, struct str skill)
{
	fields_note_alike(f->scenarios->doc, v, "skill");
	note_lists(f, v);
	(void)read_value(f, v, skill);
}

/* Reads the parts for single skills: an object of names, or a list of objects. */
static bool
read_skills(struct file *f, const struct json *skills)
{
	struct arena *a = f->scenarios->arena;

	if (json_is(skills, JSON_OBJECT))
		for (json_members(key, skills))
			read_skill(f, json_value(key), json_text(key, a));
	for (json_each(v, json_is(skills, JSON_ARRAY) ? skills : NULL))
		read_skill(f, v, json_text(json_get(v, "name"), a));
	return json_is(skills, JSON_OBJECT) || json_is(skills, JSON_ARRAY);
}

/* Reads a list of queries, or an object that has such lists. Returns false if there is
 * none. */
static bool
read_value(struct file *f, const struct json *v, struct str skill)
{
	const struct json *name = scenarios_any(v, names);
	bool any = json_is(v, JSON_ARRAY);

	if (any)
		read_list(f, v, skill, UNKNOWN);
	if (json_is(name, JSON_STRING))
		skill = json_text(name, f->scenarios->arena);
	any |= read_skills(f, json_get(v, "skills"));
	any |= read_lists(f, v, lists, skill, UNKNOWN);
	any |= read_lists(f, v, positives, skill, USED);
	any |= read_lists(f, v, negatives, skill, UNUSED);
	if (!any)
		mistake(f, v,
		    "lists of queries (triggers, cases, should_trigger, ...)");
	return any;
}

/* ---- the file ---- */

/* Returns whether the value is a query with a wish that no other evaluator has: what
 * is expected may be an answer, unless a word or null says otherwise. */
static bool
is_query(const struct json *v)
{
	static const char told[] = "should_trigger should_fire should_activate "
				   "expected_trigger expected_skills";
	const struct json *wish = scenarios_any(v, wishes);
	struct arena a = { 0 };
	bool ours = json_is(scenarios_any(v, queries), JSON_STRING) &&
	    (scenarios_any(v, told) != NULL || json_is(wish, JSON_NULL) ||
		(json_has(v, "query") && json_has(v, "positive")) ||
		(wish != NULL && !json_is(wish, JSON_ARRAY) &&
		    polarity_of(wish, &a) != ROUTED &&
		    polarity_of(wish, &a) != UNKNOWN));

	arena_free(&a);
	return ours;
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc), *skills;
	struct str list = str_of(lists);

	if (is_query(json_first(json_is(root, JSON_ARRAY) ? root : NULL)))
		return true;
	while (list.s != NULL)
		if (is_query(json_first(json_get(root, str_cut(&list, ' ')))))
			return true;
	if (json_is(scenarios_any(root, positives), JSON_ARRAY) &&
	    json_is(scenarios_any(root, negatives), JSON_ARRAY))
		return true;
	skills = json_first(json_get(root, "skills"));
	if (json_is(json_get(root, "skills"), JSON_OBJECT))
		skills = skills == NULL ? NULL : json_value(skills);
	return json_is(scenarios_any(skills, positives), JSON_ARRAY) ||
	    is_query(json_first(scenarios_any(skills, lists)));
}

static void
read(struct scenarios *r)
{
	struct file f = { .scenarios = r };

	for (size_t i = 0; i < r->doc->n; i++) {
		note_lists(&f, r->doc->roots[i]);
		(void)read_value(&f, r->doc->roots[i], (struct str){ 0 });
	}
}

const struct dialect dialect_triggers = {
	.name = "triggers",
	.what = "trigger evals of skills: queries with should_trigger",
	.owns = owns,
	.read = read,
	.wraps_prompts = true,
};
