#include "report/mcplab/scenario.h"

#include <stdlib.h>

#include "report/mcplab/similarity.h"

/* ---- assertions ---- */

/* Returns NAME of MCPLab's label "Required tool · NAME". */
static struct str
named_tool(const struct assertion *it)
{
	const struct str dot = STR(" \u00b7 ");
	size_t at = str_find(it->label, dot);

	return str_from(it->label, at == it->label.n ? 0 : at + dot.n);
}

/* Returns the lists of [["a","b"],["c"]], which was parsed before. */
static struct str_list
lists_of(struct str text, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str *lists = NULL;
	size_t n = 0;

	if (text.n != 0) {
		const struct json *all = json_read(&reader, text, NULL, &error);

		for (json_each(list, all))
			if (json_is(list, JSON_ARRAY))
				*arena_push(a, lists, n) =
				    tally_sequence(list, a);
	}
	json_reader_free(&reader);
	return (struct str_list){ lists, n };
}

/* MCPLab's assertions by scenario; those of one scenario by their keys. */
struct asserted {
	const struct assertion **list;
	size_t n;
};

static int
compare_asserted(const void *a, const void *b)
{
	const struct assertion *p = *(const struct assertion *const *)a;
	const struct assertion *q = *(const struct assertion *const *)b;
	int c = str_cmp(p->scenario, q->scenario);

	return c != 0 ? c : str_cmp(p->item.key.text, q->item.key.text);
}

static struct asserted
asserted_of(const struct tally *t, struct arena *a)
{
	struct asserted all = { 0 };

	all.list = arena_new_n(a, const struct assertion *, t->checks.n);
	for (size_t i = 0; i < t->checks.n; i++) {
		const struct assertion *it = t->checks.list[i];

		if (str_is(it->dialect, "mcplab"))
			all.list[all.n++] = it;
	}
	qsort(all.list, all.n, sizeof all.list[0], compare_asserted);
	return all;
}

/* Returns the assertions of the scenario. */
static struct asserted
asserted_in(const struct asserted *all, struct str scenario)
{
	size_t low = 0, high = all->n, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(all->list[middle]->scenario, scenario) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < all->n && str_eq(all->list[end]->scenario, scenario))
		end++;
	return (struct asserted){ all->list + low, end - low };
}

/* Returns the tools of the scenario's assertions of a type, sorted. */
static struct str_list
asserted_tools(const struct asserted *its, const char *type, struct arena *a)
{
	struct str *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < its->n; i++)
		if (str_is(its->list[i]->type, type))
			*arena_push(a, list, n) = named_tool(its->list[i]);
	if (list != NULL)
		qsort(list, n, sizeof list[0], str_compare);
	return (struct str_list){ list, n };
}

static struct str_list
allowed_sequences(const struct asserted *its, struct arena *a)
{
	for (size_t i = 0; i < its->n; i++) {
		const struct assertion *it = its->list[i];

		if (str_is(it->type, "tool_sequence") &&
		    it->expected.text.n != 0)
			return lists_of(it->expected.text, a);
	}
	return (struct str_list){ 0 };
}

/* ---- tools and values ---- */

static struct str_list
tools_of(const struct tally_group *g, struct arena *a)
{
	struct str *list = arena_new_n(a, struct str, g->tools.n);

	for (size_t i = 0; i < g->tools.n; i++) {
		const struct tally_tool *t = g->tools.list[i];

		list[i] = t->item.key.text;
	}
	return (struct str_list){ list, g->tools.n };
}

/* Returns whether JavaScript takes the key for an array index, which precedes
 * other keys: a number below 2^32 - 1 (ECMA-262, array index). */
static bool
is_index(struct str key)
{
	const struct str last = STR("4294967294");

	if (key.n == 0 || key.n > last.n ||
	    (key.n == last.n && str_cmp(key, last) > 0) ||
	    (key.n > 1 && key.s[0] == '0'))
		return false;
	for (size_t i = 0; i < key.n; i++)
		if (key.s[i] < '0' || key.s[i] > '9')
			return false;
	return true;
}

/* Returns whether p precedes q. Among values that were found equally often,
 * MCPLab takes an index before other texts, then the least index, and else the
 * first that came. Here the first by bytes precedes, since no report depends on
 * the order of records. */
static bool
is_before(const struct tally_pair *p, const struct tally_pair *q)
{
	bool index = is_index(p->text);

	if (p->times != q->times)
		return p->times > q->times;
	if (index != is_index(q->text))
		return index;
	if (index && p->text.n != q->text.n)
		return p->text.n < q->text.n;
	return str_cmp(p->text, q->text) < 0;
}

static int
compare_values(const void *a, const void *b)
{
	const struct tally_pair *p = *(struct tally_pair *const *)a;
	const struct tally_pair *q = *(struct tally_pair *const *)b;
	int c = str_cmp(p->name, q->name);

	return c != 0 ? c : is_before(p, q) ? -1 : is_before(q, p);
}

static void
read_values(struct mcplab_scenario *s, struct arena *a)
{
	const struct bounded_map *values =
	    &tally_group_details(s->runs)->values;
	const struct tally_pair **list =
	    arena_new_n(a, const struct tally_pair *, values->n);

	for (size_t i = 0; i < values->n; i++)
		list[i] = values->list[i];
	qsort(list, values->n, sizeof list[0], compare_values);
	for (size_t i = 0; i < values->n; i++)
		if (i == 0 || !str_eq(list[i]->name, list[i - 1]->name))
			*arena_push(a, s->values, s->n_values) =
			    (struct mcplab_scenario_value){ list[i]->name,
				    list[i]->text };
}

/* ---- scenarios ---- */

static int
compare_scenarios(const void *a, const void *b)
{
	const struct mcplab_scenario *s = a, *t = b;

	return str_cmp(s->scenario, t->scenario);
}

/* Returns the agents of adjacent tasks, in order. */
static struct str_list
agents_of(struct tally_group *const *tasks, size_t n, struct arena *a)
{
	struct str *list = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct str agent = tasks[i]->names.list[1];

		if (agent.n != 0 &&
		    (kept == 0 || !str_eq(list[kept - 1], agent)))
			*arena_push(a, list, kept) = agent;
	}
	return (struct str_list){ list, kept };
}

/* Returns the scenario of n adjacent tasks. */
static struct mcplab_scenario
scenario_of(const struct asserted *asserted, struct tally_group *const *tasks,
    size_t n, struct arena *a)
{
	struct asserted its = asserted_in(asserted, tasks[0]->names.list[0]);
	struct tally_group *runs = tally_group_new(a, 0);
	struct mcplab_scenario s = { .scenario = tasks[0]->names.list[0],
		.names = tasks[0]->names.list,
		.runs = runs };

	for (size_t i = 0; i < n; i++)
		tally_group_merge(runs, tasks[i], a);
	s.agents = agents_of(tasks, n, a);
	s.tools = tools_of(runs, a);
	s.words =
	    similarity_words(a, tally_group_details(runs)->answer.text.text);
	read_values(&s, a);
	s.required = asserted_tools(&its, "required_tool", a);
	s.forbidden = asserted_tools(&its, "forbidden_tool", a);
	s.allowed = allowed_sequences(&its, a);
	return s;
}

/* Tasks that share names are adjacent. */
struct mcplab_scenarios
mcplab_scenarios_by(const struct tally *t, size_t names, struct arena *a)
{
	struct asserted asserted = asserted_of(t, a);
	struct mcplab_scenarios all = { 0 };
	size_t from = 0;

	for (size_t i = 1; i <= t->n_tasks; i++) {
		if (i < t->n_tasks &&
		    tally_names_equal(t->tasks[from]->names.list,
			t->tasks[i]->names.list, names))
			continue;
		*arena_push(a, all.list, all.n) =
		    scenario_of(&asserted, &t->tasks[from], i - from, a);
		from = i;
	}
	return all;
}

struct mcplab_scenarios
mcplab_scenarios_of(const struct tally *t, struct arena *a)
{
	struct mcplab_scenarios all = mcplab_scenarios_by(t, 1, a);

	/* An absent scenario comes last. */
	if (all.n != 0 && all.list[all.n - 1].scenario.s == NULL)
		all.n--;
	return all;
}

const struct mcplab_scenario *
mcplab_scenario_named(const struct mcplab_scenarios *all, struct str scenario)
{
	const struct mcplab_scenario key = { .scenario = scenario };

	if (all->n == 0)
		return NULL;
	return bsearch(
	    &key, all->list, all->n, sizeof all->list[0], compare_scenarios);
}
