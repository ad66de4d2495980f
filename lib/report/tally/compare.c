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
		    hash_add(HASH_START,
			scenario_key(r->scenario, r->agent, moment)),
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
static struct str
next_result(struct str *piece, bool *passed)
{
	struct str hash = str_slice(*piece, 0, RESULT_BYTES - 1);

	*passed = piece->s[RESULT_BYTES - 1];
	*piece = str_slice(*piece, RESULT_BYTES, piece->n);
	return hash;
}

/* Returns whether the piece has a result of that row, which is often the first. */
static bool
find_result(struct str *piece, struct str hash, bool *passed)
{
	struct str rest = *piece;

	while (rest.n != 0)
		if (str_eq(next_result(&rest, passed), hash)) {
			if (rest.s == piece->s + RESULT_BYTES)
				*piece = rest;
			return true;
		}
	return false;
}

/* Adds a pair to each row of which both runs have a result. */
static void
count_pair(const struct pair *p, const struct hash_table *rows)
{
	struct str was, now, hash;
	bool before, after;

	if (p->n[COMPARE_WAS] != 1 || p->n[COMPARE_NOW] != 1)
		return;
	was = p->piece[COMPARE_WAS].text;
	now = p->piece[COMPARE_NOW].text;
	while (was.n != 0) {
		struct compare_row *row;

		hash = next_result(&was, &before);
		row = hash_get(rows, hash);
		if (row == NULL || !find_result(&now, hash, &after))
			continue;
		row->pairs++;
		row->lost += before > after;
		row->gained += before < after;
	}
}

/* Adds its pairs to each row. */
static void
count_pairs(struct compare *c, const struct hash_table *rows, struct arena *a)
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

/* The rows while they are made, found by the hashes of their keys. */
struct making {
	struct compare_row **list;
	size_t n;
	struct hash_table table;
	struct arena *arena;
};

static struct compare_row *
row_of(struct making *m, struct str key)
{
	uint64_t hash = hash_add(HASH_START, key);
	void **place = hash_put_copy(
	    &m->table, (struct str){ (const char *)&hash, sizeof hash });

	if (*place == NULL) {
		*place = arena_new(m->arena, struct compare_row);
		*arena_push(m->arena, m->list, m->n) = *place;
	}
	return *place;
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

static bool
is_taken(const struct compare_row *row, bool assertions)
{
	return (row->assertion != NULL) == assertions &&
	    row->n[COMPARE_WAS] + row->n[COMPARE_NOW] != 0;
}

/* Returns the rows of runs, or of assertions, that have any results. */
static struct compare_rows
take(const struct making *m, bool assertions)
{
	struct compare_rows rows = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += is_taken(m->list[i], assertions);
	rows.list = arena_new_n(m->arena, struct compare_row, n);
	for (size_t i = 0; i < m->n; i++) {
		struct compare_row *row = m->list[i];

		if (!is_taken(row, assertions))
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

	tally_groups_sort(c->was.tasks, c->was.n_tasks);
	add_tasks(&m, &c->was, COMPARE_WAS);
	add_tasks(&m, now, COMPARE_NOW);
	add_assertions(&m, &c->was.checks, &now->checks, COMPARE_WAS);
	add_assertions(&m, &now->checks, &c->was.checks, COMPARE_NOW);
	count_pairs(c, &m.table, a);
	c->scenarios = take(&m, false);
	c->assertions = take(&m, true);
	c->assertions.more = c->was.checks.full || now->checks.full;
	regression_test_all(&c->all, &c->scenarios);
	regression_decide(&c->scenarios, &c->assertions, &c->all, c->alpha);
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
	pthread_mutex_destroy(&c->lock);
}
