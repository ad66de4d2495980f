#include "rows.h"

#include <stdlib.h>

#include "hash.h"

/* A model is shown only where it tells two rows apart, or alone. */
static void
find_names(struct rows *r, const struct tally *t)
{
	bool models = false;

	for (size_t i = 0; i < t->n; i++) {
		const struct tally_group *g = t->groups[i];

		r->scenario |= g->scenario.s != NULL;
		r->agent |= g->agent.s != NULL;
		models |= g->model.s != NULL;
		r->model |= i != 0 &&
		    str_eq(g->scenario, t->groups[i - 1]->scenario) &&
		    str_eq(g->agent, t->groups[i - 1]->agent);
	}
	if (!r->scenario && !r->agent)
		*(models ? &r->model : &r->scenario) = true;
}

static int
compare_agents(const void *a, const void *b)
{
	const struct tally_group *g = *(struct tally_group *const *)a;
	const struct tally_group *h = *(struct tally_group *const *)b;

	return str_cmp(g->agent, h->agent);
}

/* Adds a sum for each agent, if several share several scenarios. */
static void
add_agents(struct rows *r, const struct tally *t, struct arena *a)
{
	struct hash_table table = { .arena = a };
	struct tally_group **sums = NULL;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct str agent = t->groups[i]->agent;
		struct tally_group *sum = hash_get(&table, agent);

		if (sum == NULL) {
			sum = arena_new(a, struct tally_group);
			sum->scenario = STR("all");
			sum->agent = agent;
			*hash_put(&table, agent) = sum;
			*arena_push(a, sums, n) = sum;
		}
		tally_merge(sum, t->groups[i]);
	}
	if (n < 2 || n == t->n)
		return;
	qsort(sums, n, sizeof sums[0], compare_agents);
	for (size_t i = 0; i < n; i++)
		*arena_push(a, r->list, r->n) = sums[i];
}

void
rows_add_total(
    struct rows *r, const struct tally *t, struct str name, struct arena *a)
{
	struct tally_group *row = arena_new(a, struct tally_group);

	*row = t->total;
	if (r->scenario)
		row->scenario = name;
	else if (r->agent)
		row->agent = name;
	else
		row->model = name;
	*arena_push(a, r->list, r->n) = row;
}

struct rows
rows_of(const struct tally *t, struct arena *a)
{
	struct rows r = { 0 };

	find_names(&r, t);
	for (size_t i = 0; i < t->n; i++)
		*arena_push(a, r.list, r.n) = t->groups[i];
	if (r.scenario)
		add_agents(&r, t, a);
	if (t->n > 1)
		rows_add_total(&r, t, STR("all"), a);
	return r;
}
