/* AgentV 4's type `composite`: a verdict on the scores of other assertions
 * (packages/core/src/evaluation/graders/composite.ts, loaders/grader-parser.ts of version
 * 4.42.4; version 5 has assert-set instead). */
#include "check/promptfoo/promptfoo.h"

#include "check/kind/kind.h"

/* The aggregators, and why one is not decided. */
static const struct aggregator {
	const char *type, *why;
	bool whole; /* a member counts as passed or not, not by its score */
} aggregators[] = {
	{ "weighted_average", NULL, false },
	{ "threshold", NULL, true },
	{ "code-grader", "an aggregator that is a program is not run", false },
	{ "code_grader", "an aggregator that is a program is not run", false },
	{ "llm-grader", "an aggregator that is a judge is not asked", false },
	{ "llm_grader", "an aggregator that is a judge is not asked", false },
};

static const struct aggregator *
aggregator_of(struct fields *e, const struct json *v)
{
	const struct json *type = json_get(v, "type");

	fields_note(e->doc, v, "type", IS(TEXT));
	fields_note(e->doc, v, "weights", IS(OBJECT));
	fields_note(e->doc, v, "threshold", IS(NUMBER));
	for (size_t i = 0; i < sizeof aggregators / sizeof aggregators[0]; i++)
		if (json_str_is(type, aggregators[i].type))
			return &aggregators[i];
	if (v != NULL)
		fields_spoil(e, type,
		    "aggregator: expected the type weighted_average, "
		    "threshold, code-grader or llm-grader");
	return &aggregators[0];
}

/* Returns the least score: of a verdict in AgentV, or the threshold of the
 * aggregator. */
static double
least_of(struct fields *e, const struct aggregator *a, const struct json *v)
{
	const struct json *threshold = json_get(v, "threshold");
	double least = json_double(threshold);

	if (!a->whole)
		return 0.8;
	if (!json_is(threshold, JSON_NUMBER) || least < 0 || least > 1)
		fields_spoil(e, threshold != NULL ? threshold : v,
		    "threshold: expected a number from 0 to 1");
	return least;
}

/* Adds a member, which the aggregator finds by its name. */
static void
add_member(struct fields *e, struct score_want *want, struct score_part **parts,
    const struct json *v, const struct json *weights)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	struct promptfoo_now outer = *t->now;
	struct forms forms = t->config->forms;
	struct str name = json_text(json_get(v, "name"), e->arena);
	const struct json *weight = json_get(weights, name);
	struct score_part *part = arena_push(e->arena, *parts, want->n);
	struct check *member = arena_new(e->arena, struct check);

	if (name.n == 0)
		fields_spoil(e, v, "a member of the composite has no name");
	forms.part_of = t;
	*member = scenarios_make(e, v, &forms);
	*t->now = outer;
	if (json_is(json_get(v, "negate"), JSON_TRUE))
		fields_spoil(
		    e, v, "negate: AgentV negates no member of a composite");
	if (check_is_broken(member))
		fields_spoil(e, v, "a member of the composite has a mistake");
	part->check = member;
	part->source = v;
	part->weight = json_is(weight, JSON_NUMBER) ? json_double(weight) : 1;
}

struct check
promptfoo_composite(struct fields *e)
{
	static const char *const lists[] = { "assertions", "assert",
		"evaluators" };
	const struct json *how = fields_object_if(e, "aggregator"),
			  *weights = json_get(how, "weights"), *list = NULL;
	const struct aggregator *a = aggregator_of(e, how);
	struct score_want want = { .least = least_of(e, a, how),
		.whole = a->whole };
	struct score_part *parts = NULL;
	struct check c;

	if (how == NULL)
		fields_spoil(e, NULL, "missing key 'aggregator'");
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		const struct json *found = fields_list_if(e, lists[i]);

		list = list == NULL ? found : list;
	}
	for (json_each(v, list))
		add_member(e, &want, &parts, v, a->whole ? NULL : weights);
	if (want.n == 0)
		fields_spoil(e, list, "assertions: expected a list of checks");
	if (a->why != NULL)
		promptfoo_undecided(e, a->why);
	want.parts = parts;
	c = score_check(e->arena, &want);
	c = promptfoo_finish(e, c, fields_str_if(e, "name"));
	c.detail = str_printf(e->arena, "%.*s: expected a score %s %.15g",
	    STR_FMT(e->where), c.negate ? "below" : "of at least", want.least);
	return c;
}
