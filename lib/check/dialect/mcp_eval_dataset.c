/* mcp-eval's datasets: cases, each with evaluators, and some for all of them. */
#include "check/dialect/mcp_eval_checks.h"

/* A list that need not be there; null is none. */
static const struct json *
list_if(struct fields *e, const char *key)
{
	const struct json *list = json_get(e->object, str_of(key));

	if (json_is(list, JSON_NULL))
		fields_wrong(e, list, "%s: expected a list, found null", key);
	return fields_list_if(e, key);
}

/* ---- evaluators for all cases ---- */

/* They are read once to tell what is wrong with them; what is not is read
 * again for each case, since to some it matters what that expects. */
struct shared {
	struct str dataset; /* its name */
	const struct json *list;
	struct scenarios found; /* its only scenario has what was read */
};

static struct shared
read_shared(const struct scenarios *r, const struct json *list)
{
	static const struct mcp_eval_scenario none = { .strict = true };
	struct shared s = { .list = list, .found = *r };

	s.found.scenarios = NULL;
	s.found.n = 0;
	scenarios_begin(&s.found, (struct str){ 0 }, (struct str){ 0 });
	for (json_each(v, list))
		mcp_eval_evaluators(&s.found, v, &none);
	return s;
}

static void
add_shared(struct scenarios *r, const struct shared *shared,
    const struct mcp_eval_scenario *s)
{
	const struct check *found = shared->found.scenarios->checks;

	for (json_each(v, shared->list)) {
		if (!json_is(v, JSON_OBJECT))
			scenarios_add_check(r, *found++, v);
		for (json_members(key, v)) {
			if (check_is_broken(found))
				scenarios_add_check(r, *found, key);
			else
				mcp_eval_evaluator(r, key, s);
			found++;
		}
	}
}

static void
close_shared(const struct shared *s)
{
	for (size_t i = 0; i < s->found.scenarios->n; i++)
		check_close(&s->found.scenarios->checks[i]);
}

/* ---- cases ---- */

static bool
names_equals(const struct json *evaluators)
{
	for (json_each(v, evaluators))
		if (json_has(v, "EqualsExpected"))
			return true;
	return false;
}

static void
name_logs(struct scenarios *r, struct str dataset, struct str name)
{
	const struct str parts[] = { dataset, STR("::"), name };

	if (dataset.s != NULL && name.s != NULL)
		mcp_eval_kept_as(r, str_join(r->arena, parts, 3, STR("")));
}

/* What a case expects the answer is to be, unless it says more of that. */
static void
read_case(
    struct scenarios *r, const struct json *v, const struct shared *shared)
{
	static const char *const ignored[] = { "metadata", "description",
		NULL };
	struct fields e = fields_open(r->arena, r->doc, v, STR("case"));
	struct str name = fields_name(&e, "name");
	const struct json *list = list_if(&e, "evaluators");
	struct mcp_eval_scenario *s =
	    arena_new(r->arena, struct mcp_eval_scenario);

	(void)fields_need(&e, "inputs");
	s->inputs = fields_get(&e, "inputs");
	s->expected = fields_get(&e, "expected_output");
	s->strict = true;
	mcp_eval_refuse_instants(&e, s->expected);
	fields_ignore(&e, ignored);
	if (name.s != NULL)
		e.where = str_printf(r->arena, "case \"%.*s\"", STR_FMT(name));
	scenarios_begin(r, name, json_text(s->inputs, r->arena));
	if (shared != NULL)
		name_logs(r, shared->dataset, name);
	for (json_each(evaluator, list))
		mcp_eval_evaluators(r, evaluator, s);
	if (s->expected != NULL && !names_equals(list))
		mcp_eval_expected(r, s->expected, s);
	if (shared != NULL)
		add_shared(r, shared, s);
	scenarios_end_entry(r, &e);
}

/* ---- files ---- */

/* Without cases its evaluators are for every run. */
static void
read_dataset(struct scenarios *r, const struct json *root)
{
	static const char *const ignored[] = { "name", "description",
		"server_name", "metadata", "agent_spec", "$schema", NULL };
	static const struct mcp_eval_scenario none = { .strict = true };
	struct fields e = fields_open(r->arena, r->doc, root, STR("dataset"));
	const struct json *cases = list_if(&e, "cases");
	struct shared shared = read_shared(r, list_if(&e, "evaluators"));

	shared.dataset = json_has(root, "name")
	    ? json_text(json_get(root, "name"), r->arena)
	    : STR("Loaded Dataset");
	for (json_each(v, cases))
		read_case(r, v, &shared);
	if (!json_has(root, "cases")) {
		scenarios_begin(r, (struct str){ 0 }, (struct str){ 0 });
		add_shared(r, &shared, &none);
	}
	close_shared(&shared);
	fields_ignore(&e, ignored);
	fields_close(&e, NULL);
}

void
mcp_eval_dataset(struct scenarios *r, const struct json *v)
{
	for (json_each(one, v))
		read_case(r, one, NULL);
	if (json_has(v, "inputs"))
		read_case(r, v, NULL);
	else if (!json_is(v, JSON_ARRAY))
		read_dataset(r, v);
}

static bool
is_case(const struct json *v)
{
	return json_has(v, "inputs") &&
	    (json_has(v, "evaluators") || json_has(v, "expected_output"));
}

bool
mcp_eval_is_dataset(const struct json *v)
{
	const struct json *cases = json_get(v, "cases");
	const struct json *evaluators = json_get(v, "evaluators");

	if (json_is(v, JSON_ARRAY))
		return is_case(json_first(v));
	if (json_count(cases) != 0)
		return json_has(json_first(cases), "inputs") ||
		    json_has(json_first(cases), "evaluators");
	return cases != NULL || is_case(v) ||
	    mcp_eval_is_evaluator(json_first(evaluators));
}
