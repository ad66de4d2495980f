#include "tally.h"

#include <stdlib.h>

void
tally_start(struct tally *t, size_t max_findings)
{
	*t = (struct tally){ 0 };
	t->table.arena = &t->arena;
	findings_start(&t->findings, max_findings);
}

static struct str
keep(struct tally *t, struct str text)
{
	return text.s == NULL ? text : str_dup(&t->arena, text);
}

static struct tally_group *
group_of(struct tally *t, const struct result *o, struct arena *a)
{
	const struct str names[] = { o->scenario, o->agent, o->model };
	struct str key = hash_key(a, names, sizeof names / sizeof names[0]);
	struct tally_group *g = hash_get(&t->table, key);

	if (g != NULL)
		return g;
	g = arena_new(&t->arena, struct tally_group);
	g->scenario = keep(t, o->scenario);
	g->agent = keep(t, o->agent);
	g->model = keep(t, o->model);
	*arena_push(&t->arena, t->groups, t->n) = g;
	*hash_put(&t->table, keep(t, key)) = g;
	return g;
}

static void
add_sum(struct tally_sum *to, int64_t sum, size_t runs)
{
	to->sum = measure_add(to->sum, sum);
	to->runs += runs;
}

static void
add_run(struct tally_group *g, const struct result *o)
{
	g->runs++;
	g->errors += o->error;
	if (o->checked)
		g->status[o->status]++;
	for (size_t i = 0; i < o->n; i++)
		if (!o->checks[i].of_run)
			g->checks[o->checks[i].status]++;
	for (int i = 0; i < MEASURES; i++)
		add_sum(&g->used[i], o->used[i], o->used[i] >= 0);
}

void
tally_add(struct tally *t, const struct result *o, struct arena *a)
{
	add_run(group_of(t, o, a), o);
	findings_add(&t->findings, o, a);
}

void
tally_merge(struct tally_group *to, const struct tally_group *from)
{
	to->runs += from->runs;
	to->errors += from->errors;
	for (int i = 0; i < STATUS_COUNT; i++) {
		to->status[i] += from->status[i];
		to->checks[i] += from->checks[i];
	}
	for (int i = 0; i < MEASURES; i++)
		add_sum(&to->used[i], from->used[i].sum, from->used[i].runs);
}

static int
compare_names(struct str a, struct str b)
{
	if (a.s == NULL || b.s == NULL)
		return (a.s == NULL) - (b.s == NULL);
	return str_cmp(a, b);
}

static int
compare_groups(const void *a, const void *b)
{
	const struct tally_group *g = *(struct tally_group *const *)a;
	const struct tally_group *h = *(struct tally_group *const *)b;
	int c = compare_names(g->scenario, h->scenario);

	if (c == 0)
		c = compare_names(g->agent, h->agent);
	return c != 0 ? c : compare_names(g->model, h->model);
}

void
tally_finish(struct tally *t)
{
	if (t->n != 0)
		qsort(t->groups, t->n, sizeof t->groups[0], compare_groups);
	t->total = (struct tally_group){ 0 };
	for (size_t i = 0; i < t->n; i++)
		tally_merge(&t->total, t->groups[i]);
	findings_sort(&t->findings);
}

size_t
tally_checked(const struct tally_group *g)
{
	size_t n = 0;

	for (int i = 0; i < STATUS_COUNT; i++)
		n += g->status[i];
	return n;
}

size_t
tally_decided(const struct tally_group *g)
{
	return g->status[STATUS_PASSED] + g->status[STATUS_FAILED] +
	    g->status[STATUS_ERROR];
}

size_t
tally_rated(const struct tally_group *g)
{
	if (tally_decided(g) == 0)
		return 0;
	return tally_checked(g) - g->status[STATUS_UNCHECKED];
}

void
tally_free(struct tally *t)
{
	findings_free(&t->findings);
	arena_free(&t->arena);
}
