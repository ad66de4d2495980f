#include "report/tally/compare.h"

#include <stdlib.h>

#include "base/hash.h"

void
compare_start(
    struct compare *c, double alpha, double margin, const bool *filter)
{
	struct tally_plan plan = tally_plan_default();

	plan.max_failures = 0;
	plan.n_k = 0;
	c->alpha = alpha;
	c->behaviour.margin = margin;
	c->filter = filter;
	tally_start(&c->was, &plan);
	external_sort_start(&c->pairs, EXTERNAL_SORT_LIMIT);
}

/* ---- pairs ---- */

/*
 * Adds a piece for a result of a run to the external sort. Its key begins with
 * the unit that is compared and ends with what identifies the run on both
 * sides, so that the two pieces of a pair come back one after the other. A run
 * is identified by its run index, since ids differ from one time to the next;
 * by its id if it has no index.
 */
static void
add_pair(struct compare *c, struct str unit, struct str run, const char *text,
    struct arena *moment)
{
	const struct str parts[] = { unit, run };

	external_sort_add(&c->pairs, hash_key(moment, parts, 2), str_of(text));
}

/* Returns the key of the row of a scenario's runs, which no row of an assertion
 * has. */
static struct str
scenario_key(struct str scenario, struct str agent, struct arena *moment)
{
	const struct str names[] = { scenario, agent };

	return str_cat(moment, STR("runs "), hash_key(moment, names, 2));
}

static struct str
run_key(const struct result *r, struct arena *moment)
{
	const struct str names[] = { r->agent,
		r->run_index < 0
		    ? r->id
		    : str_printf(moment, "%lld", (long long)r->run_index) };

	return hash_key(moment, names, 2);
}

/* Adds the run's pieces. The text "0p" means: of the baseline, passed. */
static void
add_pairs(
    struct compare *c, const struct result *r, int side, struct arena *moment)
{
	static const char *const texts[2][2] = { { "0f", "0p" },
		{ "1f", "1p" } };
	size_t *ordinals = assertion_ordinals(r, moment);
	struct str run = run_key(r, moment);

	if (r->checked && r->status != STATUS_UNCHECKED)
		add_pair(c, scenario_key(r->scenario, r->agent, moment), run,
		    texts[side][r->status == STATUS_PASSED], moment);
	for (size_t i = 0; i < r->n; i++)
		if (!r->checks[i].of_run)
			add_pair(c,
			    result_check_key(
				&r->checks[i], ordinals[i], moment),
			    run,
			    texts[side][r->checks[i].status == STATUS_PASSED],
			    moment);
}

void
compare_was(struct compare *c, struct result *r, struct arena *moment)
{
	if (!result_is_of(r, c->filter))
		return;
	result_read_calls(r, moment);
	tally_add(&c->was, r, moment);
	why_add(c->why, r, true, moment);
	add_pairs(c, r, COMPARE_WAS, moment);
}

void
compare_now(struct compare *c, const struct result *r, struct arena *moment)
{
	add_pairs(c, r, COMPARE_NOW, moment);
}

/* The pieces of one pair: how many there are of each side, and how many of
 * these passed. */
struct pair {
	size_t n[2], passed[2];
};

static void
count_pair(struct compare_row *row, const struct pair *p)
{
	if (row == NULL || p->n[COMPARE_WAS] != 1 || p->n[COMPARE_NOW] != 1)
		return;
	row->pairs++;
	row->lost += p->passed[COMPARE_WAS] > p->passed[COMPARE_NOW];
	row->gained += p->passed[COMPARE_WAS] < p->passed[COMPARE_NOW];
}

/* Adds its pairs to each row. */
static void
count_pairs(struct compare *c, const struct hash_table *rows, struct arena *a)
{
	struct str key, text, last = { 0 }, parts[2];
	struct compare_row *row = NULL;
	struct bounded_map_text kept = { 0 };
	struct pair pair = { 0 };

	external_sort_end(&c->pairs);
	while (external_sort_next(&c->pairs, &key, &text)) {
		int side = text.s[0] - '0';

		if (last.s == NULL || !str_eq(key, last)) {
			count_pair(row, &pair);
			pair = (struct pair){ 0 };
			hash_key_split(key, parts, 2);
			row = hash_get(rows, parts[0]);
			bounded_map_copy(&kept, key, a);
			last = kept.text;
		}
		pair.n[side]++;
		pair.passed[side] += text.s[1] == 'p';
	}
	count_pair(row, &pair);
}

/* ---- rows ---- */

/* The rows while they are made, found by their keys. */
struct making {
	struct compare_row **list;
	size_t n;
	struct hash_table table;
	struct arena *arena;
};

static struct compare_row *
row_of(struct making *m, struct str key)
{
	struct compare_row *row = hash_get(&m->table, key);

	if (row != NULL)
		return row;
	row = arena_new(m->arena, struct compare_row);
	*hash_put(&m->table, str_dup(m->arena, key)) = row;
	*arena_push(m->arena, m->list, m->n) = row;
	return row;
}

static void
add_tasks(struct making *m, const struct tally *t, int side)
{
	for (size_t i = 0; i < t->n_tasks; i++) {
		const struct tally_group *g = t->tasks[i];
		struct str scenario = g->names.list[0];
		struct str agent = g->names.list[1];
		struct compare_row *row =
		    row_of(m, scenario_key(scenario, agent, m->arena));

		row->scenario = scenario;
		row->agent = agent;
		row->passed[side] += g->status[STATUS_PASSED];
		row->n[side] += tally_checked(g) - g->status[STATUS_UNCHECKED];
	}
}

/* Returns whether the other side would count the assertion. Of a full map, the
 * assertions behind its last one are unknown. */
static bool
is_counted(const struct bounded_map *other, const struct assertion *it)
{
	const struct assertion *last;

	if (!other->full || other->n == 0)
		return true;
	last = other->list[other->n - 1];
	return str_cmp(it->item.key.text, last->item.key.text) <= 0;
}

static void
add_assertions(struct making *m, const struct bounded_map *checks,
    const struct bounded_map *other, int side)
{
	for (size_t i = 0; i < checks->n; i++) {
		const struct assertion *it = checks->list[i];
		struct compare_row *row;

		if (!is_counted(other, it))
			continue;
		row = row_of(m, it->item.key.text);
		row->scenario = it->scenario;
		row->assertion = it;
		row->passed[side] = it->status[STATUS_PASSED];
		for (int s = 0; s < STATUS_COUNT; s++)
			row->n[side] += it->status[s];
	}
}

static int
compare_assertions(const struct assertion *a, const struct assertion *b)
{
	int c = 0;

	if (a == NULL || b == NULL)
		return 0;
	c = failure_place_compare(a->at.text, b->at.text);
	if (c == 0)
		c = str_cmp(a->label, b->label);
	return c != 0 ? c : str_cmp(a->item.key.text, b->item.key.text);
}

static int
compare_rows(const void *a, const void *b)
{
	const struct compare_row *r = a, *s = b;
	int c = (int)s->regression - (int)r->regression;

	if (c == 0)
		c = (int)r->change - (int)s->change;
	if (c == 0)
		c = str_cmp(r->scenario, s->scenario);
	if (c == 0)
		c = str_cmp(r->agent, s->agent);
	return c != 0 ? c : compare_assertions(r->assertion, s->assertion);
}

/* Returns the rows of runs, or of assertions, that have any results. */
static struct compare_rows
take(const struct making *m, bool assertions)
{
	struct compare_rows rows = { 0 };

	rows.list = arena_new_n(m->arena, struct compare_row, m->n);
	for (size_t i = 0; i < m->n; i++) {
		struct compare_row *row = m->list[i];

		if ((row->assertion != NULL) != assertions ||
		    row->n[COMPARE_WAS] + row->n[COMPARE_NOW] == 0)
			continue;
		regression_test(row);
		rows.change[row->change]++;
		rows.list[rows.n++] = *row;
	}
	return rows;
}

static void
sort(struct compare_rows *rows)
{
	qsort(rows->list, rows->n, sizeof rows->list[0], compare_rows);
}

void
compare_finish(struct compare *c, const struct tally *now, struct arena *a)
{
	struct making m = { .table.arena = a, .arena = a };

	tally_finish(&c->was);
	add_tasks(&m, &c->was, COMPARE_WAS);
	add_tasks(&m, now, COMPARE_NOW);
	add_assertions(&m, &c->was.checks, &now->checks, COMPARE_WAS);
	add_assertions(&m, &now->checks, &c->was.checks, COMPARE_NOW);
	count_pairs(c, &m.table, a);
	c->scenarios = take(&m, false);
	c->assertions = take(&m, true);
	c->assertions.more = c->was.checks.full || now->checks.full;
	regression_test_all(&c->all, &c->scenarios);
	regression_decide(&c->scenarios, &c->assertions, &c->all, c->alpha, a);
	sort(&c->scenarios);
	sort(&c->assertions);
	behaviour_compare(&c->behaviour, &c->was, now, a);
}

size_t
compare_regressions(const struct compare *c)
{
	bool all = c->all.rows > 1 && c->all.regression &&
	    c->all.evidence == EVIDENCE_SIGNIFICANT;

	return c->scenarios.regressions + c->assertions.regressions + all;
}

void
compare_free(struct compare *c)
{
	tally_free(&c->was);
	external_sort_free(&c->pairs);
}
