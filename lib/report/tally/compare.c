#include "report/tally/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void
compare_start(
    struct compare *c, double alpha, double margin, const bool *filter)
{
	struct tally_plan plan = tally_plan_default();

	plan.max_failures = 0;
	plan.n_k = 0;
	plan.details = false;
	c->alpha = alpha;
	c->behaviour.margin = margin;
	c->filter = filter;
	tally_start(&c->was, &plan);
	external_sort_start(&c->pairs, EXTERNAL_SORT_LIMIT);
	pthread_mutex_init(&c->lock, NULL);
}

/* ---- pairs ---- */

/*
 * The external sort has a piece for each run, so that the runs of a pair come back
 * one after the other. The key identifies the run on both sides: by its run index,
 * since ids differ from one time to the next, or by its id if it has no index. The
 * text begins with the side; then each result of the run has nine bytes, the hash
 * of its row's key and whether the result passed.
 */
enum { RESULT_BYTES = 9 };

/* Returns the hash of the row of a scenario's runs, of a key that no row of an assertion
 * has. */
static uint64_t
scenario_hash(struct str scenario, struct str agent, struct arena *moment)
{
	const struct str names[] = { scenario, agent };

	return hash_add(HASH_START,
	    str_cat(moment, STR("runs "), hash_key(moment, names, 2)));
}

static struct str
run_key(const struct result *r, struct arena *moment)
{
	const struct str names[] = { r->scenario, r->agent,
		r->run_index < 0
		    ? r->id
		    : str_printf(moment, "%lld", (long long)r->run_index) };

	return hash_key(moment, names, 3);
}

static char *
put_result(char *to, uint64_t hash, bool passed)
{
	memcpy(to, &hash, sizeof hash);
	to[sizeof hash] = passed ? 1 : 0;
	return to + RESULT_BYTES;
}

static void
add_pieces(
    struct compare *c, const struct result *r, int side, struct arena *moment)
{
	char *text = arena_alloc(moment, 1 + RESULT_BYTES * (r->n + 1));
	char *end = text;
	struct str key;

	*end++ = (char)side;
	if (r->checked && r->status != STATUS_UNCHECKED)
		end = put_result(end,
		    scenario_hash(r->scenario, r->agent, moment),
		    r->status == STATUS_PASSED);
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *check = &r->checks[i];

		if (!check->of_run)
			end = put_result(
			    end, check->hash, check->status == STATUS_PASSED);
	}
	key = run_key(r, moment);
	pthread_mutex_lock(&c->lock);
	external_sort_add(
	    &c->pairs, key, (struct str){ text, (size_t)(end - text) });
	pthread_mutex_unlock(&c->lock);
}

void
compare_was(
    struct compare *c, struct tally *t, struct result *r, struct arena *moment)
{
	if (!result_is_of(r, c->filter))
		return;
	result_read_details(r, moment);
	tally_add(t, r, moment);
	why_add(c->why, r, true, moment);
	if (c->each != NULL)
		c->each(c->each_arg, r, moment);
	add_pieces(c, r, COMPARE_WAS, moment);
}

void
compare_now(struct compare *c, const struct result *r, struct arena *moment)
{
	add_pieces(c, r, COMPARE_NOW, moment);
}

/* The runs of one key, and the first piece of each side. */
struct pair {
	size_t n[2];
	struct bounded_map_text piece[2];
};

/* Takes the next result of the piece; returns its row's hash. */
static uint64_t
next_result(struct str *piece, bool *passed)
{
	uint64_t hash;

	memcpy(&hash, piece->s, sizeof hash);
	*passed = piece->s[RESULT_BYTES - 1];
	*piece = str_slice(*piece, RESULT_BYTES, piece->n);
	return hash;
}

/* Returns whether the piece has a result of that row, which is often the first. */
static bool
find_result(struct str *piece, uint64_t hash, bool *passed)
{
	struct str rest = *piece;

	while (rest.n != 0)
		if (next_result(&rest, passed) == hash) {
			if (rest.s == piece->s + RESULT_BYTES)
				*piece = rest;
			return true;
		}
	return false;
}

/* The rows, found by their hashes. */
struct row_table {
	struct compare_row **rows;
	size_t size; /* a power of two */
};

/* Returns the place of the row with that hash, or the free place for the row. */
static struct compare_row **
row_place(const struct row_table *t, uint64_t hash)
{
	size_t i = hash & (t->size - 1);

	while (t->rows[i] != NULL && t->rows[i]->hash != hash)
		i = (i + 1) & (t->size - 1);
	return &t->rows[i];
}

static struct row_table
row_table_of(const struct compare *c, struct arena *a)
{
	const struct compare_rows *const both[] = { &c->scenarios,
		&c->assertions };
	struct row_table t = { .size = 2 };

	while (t.size < 2 * (both[0]->n + both[1]->n))
		t.size *= 2;
	t.rows = arena_new_n(a, struct compare_row *, t.size);
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < both[k]->n; i++) {
			struct compare_row *row = &both[k]->list[i];

			*row_place(&t, row->hash) = row;
		}
	return t;
}

/* Adds a pair to each row of which both runs have a result. */
static void
count_pair(const struct pair *p, const struct row_table *rows)
{
	struct str was, now;
	uint64_t hash;
	bool before, after;

	if (p->n[COMPARE_WAS] != 1 || p->n[COMPARE_NOW] != 1)
		return;
	was = p->piece[COMPARE_WAS].text;
	now = p->piece[COMPARE_NOW].text;
	while (was.n != 0) {
		struct compare_row *row;

		hash = next_result(&was, &before);
		row = *row_place(rows, hash);
		if (row == NULL || !find_result(&now, hash, &after))
			continue;
		row->pairs++;
		row->lost += before > after;
		row->gained += before < after;
	}
}

/* Adds its pairs to each row. */
static void
count_pairs(struct compare *c, const struct row_table *rows, struct arena *a)
{
	struct str key, text;
	struct bounded_map_text last = { 0 };
	struct pair pair = { 0 };

	external_sort_end(&c->pairs);
	while (external_sort_next(&c->pairs, &key, &text)) {
		int side = (unsigned char)text.s[0];

		if (last.text.s == NULL || !str_eq(key, last.text)) {
			count_pair(&pair, rows);
			memset(pair.n, 0, sizeof pair.n);
			bounded_map_copy(&last, key, a);
		}
		if (pair.n[side]++ == 0)
			bounded_map_copy(
			    &pair.piece[side], str_slice(text, 1, text.n), a);
	}
	count_pair(&pair, rows);
}

/* ---- rows ---- */

/* Makes a row for each task with a run that counts. */
static void
add_scenarios(
    struct compare *c, const struct compare_tasks *tasks, struct arena *a)
{
	struct compare_rows *rows = &c->scenarios;

	rows->list = arena_new_n(a, struct compare_row, tasks->n);
	for (size_t i = 0; i < tasks->n; i++) {
		const struct compare_task *task = &tasks->list[i];
		struct compare_row *row = &rows->list[rows->n];

		for (int side = 0; side < 2; side++) {
			const struct tally_group *g = task->side[side];

			row->passed[side] =
			    g == NULL ? 0 : g->status[STATUS_PASSED];
			row->n[side] = g == NULL
			    ? 0
			    : tally_checked(g) - g->status[STATUS_UNCHECKED];
		}
		row->scenario = task->scenario;
		row->agent = task->agent;
		rows->n += row->n[COMPARE_WAS] + row->n[COMPARE_NOW] != 0;
	}
	for (size_t i = 0; i < rows->n; i++)
		rows->list[i].hash = scenario_hash(
		    rows->list[i].scenario, rows->list[i].agent, a);
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

/* Makes a row for each assertion with a result. */
static void
add_assertions(struct compare *c, const struct tally *now, struct arena *a)
{
	const struct bounded_map *const maps[2] = {
		[COMPARE_WAS] = &c->was.checks, [COMPARE_NOW] = &now->checks
	};
	struct compare_rows *rows = &c->assertions;
	size_t at[2] = { 0 };
	const void *items[2];

	rows->more = maps[0]->full || maps[1]->full;
	rows->list =
	    arena_room(a, (maps[0]->n + maps[1]->n) * sizeof rows->list[0]);
	while (bounded_map_next(maps, at, items)) {
		struct compare_row *row = &rows->list[rows->n];

		*row = (struct compare_row){ 0 };
		for (int side = 0; side < 2; side++) {
			const struct assertion *it = items[side];

			if (it == NULL || !is_counted(maps[1 - side], it))
				continue;
			row->assertion = it;
			row->scenario = it->scenario;
			row->hash = it->hash;
			row->passed[side] = it->status[STATUS_PASSED];
			for (int s = 0; s < STATUS_COUNT; s++)
				row->n[side] += it->status[s];
		}
		rows->n += row->n[COMPARE_WAS] + row->n[COMPARE_NOW] != 0;
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

static void
test(struct compare_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		regression_test(&rows->list[i]);
		rows->change[rows->list[i].change]++;
	}
}

static void
sort(struct compare_rows *rows)
{
	qsort(rows->list, rows->n, sizeof rows->list[0], compare_rows);
}

void
compare_finish(struct compare *c, const struct tally *now, struct arena *a)
{
	struct compare_tasks tasks;
	struct row_table table;

	tally_groups_sort(c->was.tasks, c->was.n_tasks);
	tasks = compare_tasks(&c->was, now, a);
	add_scenarios(c, &tasks, a);
	add_assertions(c, now, a);
	table = row_table_of(c, a);
	count_pairs(c, &table, a);
	test(&c->scenarios);
	test(&c->assertions);
	regression_test_all(&c->all, &c->scenarios);
	regression_decide(&c->scenarios, &c->assertions, &c->all, c->alpha);
	sort(&c->scenarios);
	sort(&c->assertions);
	behaviour_compare(&c->behaviour, &tasks, a);
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
	pthread_mutex_destroy(&c->lock);
}
