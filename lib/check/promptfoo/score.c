/* The assertions of a test of promptfoo, and its score. */
#include "check/promptfoo/program.h"

#include "check/kind/kind.h"

struct reading {
	struct promptfoo_config *config;
	struct promptfoo_test *test;
	bool part; /* all results are parts of the test's score */
};

struct score {
	struct score_part *parts;
	size_t n;
};

/* Adds the n-th check of the scenario and those behind it to the score. None was
 * added for a mistake that --keep-going ignores. */
static void
add_part(struct reading *rd, struct score *to, size_t n, const struct json *v)
{
	const struct scenario *s = scenarios_current(rd->config->scenarios);
	const struct json *weight = json_get(v, "weight");
	struct score_part *part =
	    arena_push(rd->config->arena, to->parts, to->n);
	struct check *copy;

	part->weight = json_is(weight, JSON_NUMBER) ? json_double(weight) : 1;
	part->source = v;
	if (n >= s->n)
		return;
	copy = arena_new(rd->config->arena, struct check);
	*copy = s->checks[n];
	part->check = copy;
}

/* ---- sets ---- */

/* Returns the check of a score, which is at least this number. */
static struct check
score_of(
    const struct score *score, double least, const char *type, struct arena *a)
{
	struct score_want want = {
		.parts = score->parts, .n = score->n, .least = least
	};
	struct check c = score_check(a, &want);

	c.type = str_of(type);
	c.label = str_printf(
	    a, "%s: score of %zu at least %.15g", type, score->n, least);
	c.detail = str_printf(a, "score: expected at least %.15g", least);
	return c;
}

static void read_assertion(
    struct reading *, struct promptfoo_part, struct score *);

/* Reads the keys of a set. Returns its list of assertions. */
static const struct json *
open_set(
    struct reading *rd, struct promptfoo_part set, const double **threshold)
{
	struct scenarios *r = rd->config->scenarios;
	struct fields e =
	    fields_open(r->arena, set.doc, set.v, STR("assert-set"));
	const struct json *list;

	e.is_assertion = e.strict = true;
	list = fields_list(&e, "assert");
	*threshold = fields_number_given(&e, "threshold");
	if (!json_is(json_get(set.v, "threshold"), JSON_NUMBER))
		*threshold = NULL;
	(void)fields_number_if(&e, "weight");
	fields_ignore(&e, "type metric config description");
	scenarios_end_object(r, &e);
	return list;
}

/* Reads a set of assertions. With a threshold the set decides by its score, else
 * each of its assertions counts. */
static void
read_set(struct reading *rd, struct promptfoo_part set, struct score *to)
{
	const double *threshold;
	const struct json *list = open_set(rd, set, &threshold);
	const struct json *weight = json_get(set.v, "weight");
	struct arena *a = rd->config->arena;
	struct score_want *want = arena_new(a, struct score_want);
	bool outer = rd->test->part;
	struct score own = { 0 };
	struct score_part *part;
	struct check c;

	rd->test->part = rd->part || threshold != NULL;
	for (json_each(v, list))
		read_assertion(rd, (struct promptfoo_part){ v, set.doc }, &own);
	rd->test->part = outer;
	rd->config->scenarios->doc = set.doc;
	if (threshold != NULL) {
		c = score_of(&own, *threshold, "assert-set", a);
		if (rd->part)
			c.severity = "note";
		scenarios_add_check(rd->config->scenarios, c, set.v);
	}
	*want = (struct score_want){ .parts = own.parts, .n = own.n };
	part = arena_push(a, to->parts, to->n);
	part->set = want;
	part->source = set.v;
	part->weight = json_is(weight, JSON_NUMBER) ? json_double(weight) : 1;
}

/* ---- assertions ---- */

enum { OWN_FORMS = 3 };

/* Names of the types that are read without a form; those for attacks are many. */
static const struct form own_forms[OWN_FORMS] = {
	{ .name = "assert-set" },
	{ .name = "promptfoo:redteam:*" },
	{ .name = "not-promptfoo:redteam:*" },
};

/* Lets the document's watcher know that an assertion or a list of assertions may
 * be here. */
static void
note_assertion(struct reading *rd, struct promptfoo_part at)
{
	static const struct forms forms = {
		.key = "type", .list = own_forms, .n = OWN_FORMS
	};

	rd->config->scenarios->doc = at.doc;
	if (!json_is(at.v, JSON_ARRAY)) {
		fields_note_alike(at.doc, at.v, "assertion");
		scenarios_note_forms(
		    rd->config->scenarios, at.v, &forms, false);
	}
	fields_note(at.doc, at.v, NULL, IS(LIST) | IS(OBJECT));
	if (rd->config->agentv)
		fields_note(at.doc, at.v, NULL, IS(TEXT));
}

/* Returns whether the type is one of promptfoo's many for attacks. */
static bool
is_redteam(const struct json *v)
{
	struct str type = json_raw(json_get(v, "type"));

	if (str_starts(type, "not-"))
		type = str_from(type, 4);
	return str_starts(type, "promptfoo:redteam:");
}

/* Returns why the recorded assertion cannot be known; NULL: it can. */
static const char *
why_lost(struct reading *rd, const struct json *v)
{
	struct str type = json_text(json_get(v, "type"), rd->config->arena);

	if (is_redteam(v))
		return "needs a judge of promptfoo's for attacks";
	if (!rd->config->recorded)
		return NULL;
	if (str_starts(type, "not-"))
		type = str_from(type, 4);
	if (str_is_one_of(type, "javascript python ruby") &&
	    json_get(v, "value") == NULL)
		return "a program of the author, which the results do not hold";
	return type.n != 0 && !promptfoo_has_type(rd->config, type)
	    ? "a type of assertion that is not known"
	    : NULL;
}

static void
add_live(struct reading *rd, const struct json *v, const char *why)
{
	struct check c = media_check_live(rd->config->arena, why, NULL);

	c.type = c.label = c.reason =
	    json_text(json_get(v, "type"), rd->config->arena);
	if (rd->test->part)
		c.severity = "note";
	scenarios_add_check(rd->config->scenarios, c, v);
}

/* Reads a list, which a file or a template may hold. */
static void
read_list(struct reading *rd, struct promptfoo_part list, struct score *to)
{
	struct promptfoo_config *c = rd->config;

	if (c->depth == PROMPTFOO_DEEPEST) {
		document_report(list.doc, MISTAKE_REFUSES, list.v,
		    "assert: lists name each other without end");
		return;
	}
	c->depth++;
	for (json_each(v, list.v))
		read_assertion(rd, (struct promptfoo_part){ v, list.doc }, to);
	c->depth--;
}

static void
read_assertion(struct reading *rd, struct promptfoo_part at, struct score *to)
{
	struct scenarios *r = rd->config->scenarios;
	size_t before = scenarios_current(rd->config->scenarios)->n;
	const char *why;

	note_assertion(rd, at);
	at = promptfoo_resolve(rd->config, at);
	if (at.v == NULL)
		return;
	if (json_is(at.v, JSON_ARRAY)) {
		read_list(rd, at, to);
		return;
	}
	r->doc = at.doc;
	if (json_is(at.v, JSON_STRING) && rd->config->agentv) {
		scenarios_add_check(r,
		    promptfoo_statement(
			rd->test, at, json_text(at.v, r->arena)),
		    at.v);
		add_part(rd, to, before, at.v);
		return;
	}
	if (json_str_is(json_get(at.v, "type"), "assert-set")) {
		read_set(rd, at, to);
		return;
	}
	why = why_lost(rd, at.v);
	if (why != NULL) {
		add_live(rd, at.v, why);
		add_part(rd, to, before, at.v);
		return;
	}
	rd->config->forms.part_of = rd->test;
	scenarios_read_assertion(r, at.v, &rd->config->forms);
	add_part(rd, to, before, at.v);
}

/* Adds the check that decides by all results: the author's function, or else the
 * threshold. */
static void
add_verdict(struct reading *rd, const struct score *score,
    const double *threshold, const struct json *scored, const struct json *at)
{
	struct promptfoo_config *c = rd->config;
	struct score_want *want;

	if (score->n == 0)
		return;
	if (scored == NULL) {
		if (threshold != NULL)
			scenarios_add_check(c->scenarios,
			    score_of(score, *threshold, "threshold", c->arena),
			    at);
		return;
	}
	want = arena_new(c->arena, struct score_want);
	*want = (struct score_want){ .parts = score->parts, .n = score->n };
	scenarios_add_check(c->scenarios,
	    promptfoo_scored(rd->test, scored, want, threshold), at);
}

void
promptfoo_read_assertions(struct promptfoo_test *t,
    const struct promptfoo_part *lists, size_t n, const double *threshold,
    const struct json *scored)
{
	struct promptfoo_config *c = t->config;
	struct reading rd = { .config = c,
		.test = t,
		.part = threshold != NULL || scored != NULL };
	const struct document *own = c->scenarios->doc;
	struct score score = { 0 };

	t->part = rd.part;
	for (size_t i = 0; i < n; i++)
		read_assertion(&rd, lists[i], &score);
	if (n != 0) {
		c->scenarios->doc = lists[n - 1].doc;
		add_verdict(&rd, &score, threshold, scored, lists[n - 1].v);
	}
	c->scenarios->doc = own;
}
