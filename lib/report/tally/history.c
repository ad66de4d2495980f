#include "report/tally/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"
#include "io/workers.h"
#include "report/tally/earlier.h"
#include "report/tally/partial.h"

const char *
history_measure_name(enum history_measure m)
{
	static const char *const names[HISTORY_MEASURES] = {
		[HISTORY_RATE] = "pass_rate",
		[HISTORY_COST] = "cost_usd",
		[HISTORY_TIME] = "duration_ms",
	};

	return names[m];
}

const char *
history_state_name(enum history_state state)
{
	static const char *const names[HISTORY_STATES] = {
		[HISTORY_BROKEN] = "broken",
		[HISTORY_FAILING] = "failing",
		[HISTORY_FLAKY] = "flaky",
		[HISTORY_PASSING] = "passing",
		[HISTORY_UNRATED] = "unrated",
	};

	return names[state];
}

void
history_start(struct history *h)
{
	h->table.arena = h->seen.arena = &h->arena;
	pthread_mutex_init(&h->lock, NULL);
}

void
history_free(struct history *h)
{
	pthread_mutex_destroy(&h->lock);
	arena_free(&h->arena);
}

/* ---- adding ---- */

/* Returns the point of the current file's runs of that day. */
static struct history_point *
point_of(struct history *h, struct str start, int64_t ms, struct arena *moment)
{
	const struct str day =
	    tally_key_of_time(tally_key(STR("day")), start, h->zone, moment);
	const struct str names[] = { str_printf(moment, "%zu", h->batch), day };
	void **slot = hash_put_copy(&h->table, hash_key(moment, names, 2));
	struct history_point *point = *slot;

	if (point == NULL) {
		*slot = point = arena_new(&h->arena, struct history_point);
		*point = (struct history_point){ .start = ms,
			.day = str_dup(&h->arena, day),
			.file = h->file,
			.batch = h->batch };
		*arena_push(&h->arena, h->points, h->n_points) = point;
	}
	if (ms < point->start)
		point->start = ms;
	return point;
}

static struct history_series *
series_of(struct history *h, struct str scenario, struct str agent,
    struct arena *moment)
{
	const struct str names[] = { STR("series"), scenario, agent };
	void **slot = hash_put_copy(&h->table, hash_key(moment, names, 3));
	struct history_series *series = *slot;

	if (series == NULL) {
		*slot = series = arena_new(&h->arena, struct history_series);
		series->scenario = str_dup(&h->arena, scenario);
		series->agent = str_dup(&h->arena, agent);
		*arena_push(&h->arena, h->list, h->n) = series;
	}
	return series;
}

/* Notes when a run of the present input began. */
static void
note_present(struct history *h, struct history_series *series, int64_t ms)
{
	if (h->batch != 0)
		return;
	series->last = series->now && series->last > ms ? series->last : ms;
	series->now = true;
}

/* Returns the series' runs in the point; the last is often the one. */
static struct history_cell *
cell_of(struct history *h, struct history_series *series,
    struct history_point *point, struct arena *moment)
{
	void *const places[] = { series, point };
	void **slot;

	if (series->n != 0 && series->cells[series->n - 1]->point == point)
		return series->cells[series->n - 1];
	slot = hash_put_copy(&h->table,
	    str_dup(
		moment, (struct str){ (const char *)places, sizeof places }));
	if (*slot == NULL) {
		struct history_cell *cell =
		    arena_new(&h->arena, struct history_cell);

		cell->point = point;
		*slot = *arena_push(&h->arena, series->cells, series->n) = cell;
	}
	return *slot;
}

/* Returns whether the run had come before: the same id at the same time. */
static bool
is_repeated(struct history *h, const struct result *r, struct arena *moment)
{
	const struct str names[] = { r->id, r->start, r->scenario, r->agent };
	size_t n = h->seen.n;

	if (r->id.n == 0)
		return false;
	hash_set_add(&h->seen,
	    hash_add(HASH_START, hash_key(moment, names, 4)) & ~UINT64_C(0xff));
	return h->seen.n == n;
}

static void
add_run(struct history *h, struct history_series *series,
    const struct result *r, int64_t ms, struct arena *moment)
{
	struct history_point *point = point_of(h, r->start, ms, moment);
	struct history_cell *cell = cell_of(h, series, point, moment);
	int64_t cost = r->used[USAGE_COST];

	point->runs++;
	cell->runs++;
	if (r->checked)
		cell->status[r->status]++;
	tally_sum_add(&cell->cost, cost >= 0 ? cost : r->used[METRIC_ESTIMATE],
	    &h->arena);
	tally_sum_add(&cell->time, r->used[METRIC_DURATION], &h->arena);
}

void
history_add(struct history *h, const struct result *r, struct arena *moment)
{
	int64_t ms;
	bool dated = timestamp_text(r->start, &ms);
	struct history_series *series;

	pthread_mutex_lock(&h->lock);
	if (dated) {
		series = series_of(h, r->scenario, r->agent, moment);
		note_present(h, series, ms);
		if (is_repeated(h, r, moment))
			h->twice++;
		else
			add_run(h, series, r, ms, moment);
	} else {
		h->undated[h->batch == 0]++;
	}
	pthread_mutex_unlock(&h->lock);
}

/* Adds a task of a partial. */
static void
add_task(struct history *h, const struct tally *t, const struct tally_group *g,
    struct arena *moment)
{
	struct str start = t->first_start.text;
	struct history_series *series;
	struct history_point *point;
	struct history_cell *cell;
	int64_t ms;

	if (!timestamp_text(start, &ms)) {
		h->undated[h->batch == 0] += g->runs;
		return;
	}
	point = point_of(h, start, ms, moment);
	series = series_of(h, g->names.list[0], g->names.list[1], moment);
	note_present(h, series, ms);
	cell = cell_of(h, series, point, moment);
	point->runs += g->runs;
	cell->runs += g->runs;
	for (int s = 0; s < STATUS_COUNT; s++)
		cell->status[s] += g->status[s];
	tally_sum_merge(&cell->cost, &g->used[USAGE_COST], &h->arena);
	tally_sum_merge(&cell->cost, &g->used[METRIC_ESTIMATE], &h->arena);
	tally_sum_merge(&cell->time, &g->used[METRIC_DURATION], &h->arena);
}

bool
history_add_partial(struct history *h, const struct json *v, struct place at,
    struct arena *moment)
{
	struct tally_plan plan = tally_plan_default();
	struct tally t;
	bool good;

	tally_start(&t, &plan);
	good = partial_read(&t, v, at, moment);
	pthread_mutex_lock(&h->lock);
	for (size_t i = 0; good && i < t.n_tasks; i++)
		add_task(h, &t, t.tasks[i], moment);
	pthread_mutex_unlock(&h->lock);
	good = good && t.n_tasks != 0;
	tally_free(&t);
	return good;
}

/* ---- reading ---- */

static void
take_run(void *history, struct result *r, struct arena *moment)
{
	struct history *h = history;

	if (!result_is_of(r, h->filter))
		return;
	if (h->prices != NULL)
		result_estimate(r, h->prices, moment);
	history_add(h, r, moment);
}

static bool
take_partial(
    void *history, const struct json *v, struct place at, struct arena *moment)
{
	return history_add_partial(history, v, at, moment);
}

void
history_read(struct history *h, char *path, size_t max_line,
    struct redact *redact, size_t jobs)
{
	void *takers[WORKERS_MAX];
	struct earlier plan = { "--history", max_line, redact, jobs, h->filter,
		take_run, take_partial, takers };

	for (size_t i = 0; i < jobs; i++)
		takers[i] = h;
	h->file = str_of(path);
	h->batch = ++h->batches;
	earlier_read(&plan, path);
	h->file = (struct str){ 0 };
	h->batch = 0;
}

/* ---- the order of time ---- */

static int
compare_points(const void *a, const void *b)
{
	const struct history_point *p = *(struct history_point *const *)a;
	const struct history_point *q = *(struct history_point *const *)b;

	if (p->start != q->start)
		return p->start < q->start ? -1 : 1;
	/* The present input, which is batch 0, comes last. */
	return (p->batch - 1 > q->batch - 1) - (p->batch - 1 < q->batch - 1);
}

static int
compare_cells(const void *a, const void *b)
{
	const struct history_cell *c = *(struct history_cell *const *)a;
	const struct history_cell *d = *(struct history_cell *const *)b;

	return (c->point->number > d->point->number) -
	    (c->point->number < d->point->number);
}

static int
compare_series(const void *a, const void *b)
{
	const struct history_series *s = *(struct history_series *const *)a;
	const struct history_series *t = *(struct history_series *const *)b;
	int c;

	if (s->state != t->state)
		return s->state < t->state ? -1 : 1;
	c = str_cmp(s->scenario, t->scenario);
	return c != 0 ? c : str_cmp(s->agent, t->agent);
}

static void
order_points(struct history *h)
{
	struct hash_table days = { .arena = &h->arena };

	if (h->n_points != 0)
		qsort(
		    h->points, h->n_points, sizeof *h->points, compare_points);
	for (size_t i = 0; i < h->n_points; i++) {
		struct history_point *point = h->points[i];
		struct history_point **first =
		    (struct history_point **)hash_put(&days, point->day);

		point->number = i;
		point->alone = *first == NULL;
		if (*first != NULL)
			(*first)->alone = false;
		*first = point;
	}
}

/* ---- sums ---- */

/* Adds the amounts of a cell to the sum. */
static void
add_amounts(
    struct change_sample *to, const struct tally_sum *s, enum history_measure m)
{
	const struct quantiles *spread = tally_sum_quantiles(s);
	double units = metric_units(
	    m == HISTORY_COST ? (int)USAGE_COST : (int)METRIC_DURATION);

	to->n += s->runs;
	to->sum += (double)s->sum / units;
	for (size_t i = 0; i < spread->n; i++) {
		double times = (double)spread->bins[i].times;
		double x = (double)spread->bins[i].amount / units;
		double logarithm = log1p((double)spread->bins[i].amount);

		to->squares += times * x * x;
		to->logs += times * logarithm;
		to->log_squares += times * logarithm * logarithm;
	}
}

static void
add_cell(struct change_sample *to, const struct history_cell *c,
    enum history_measure m)
{
	size_t rated = 0, decided = 0;

	if (m != HISTORY_RATE) {
		add_amounts(to, m == HISTORY_COST ? &c->cost : &c->time, m);
		return;
	}
	for (int s = 0; s < STATUS_COUNT; s++) {
		rated += s == STATUS_UNCHECKED ? 0 : c->status[s];
		decided += s <= STATUS_ERROR ? c->status[s] : 0;
	}
	if (decided != 0) {
		to->hits += c->status[STATUS_PASSED];
		to->n += rated;
	}
}

static void
sum_up(struct history *h, struct history_series *s)
{
	qsort(s->cells, s->n, sizeof *s->cells, compare_cells);
	for (int m = 0; m < HISTORY_MEASURES; m++) {
		s->before[m] =
		    arena_new_n(&h->arena, struct change_sample, s->n + 1);
		for (size_t i = 0; i < s->n; i++) {
			s->before[m][i + 1] = s->before[m][i];
			add_cell(&s->before[m][i + 1], s->cells[i],
			    (enum history_measure)m);
		}
	}
}

struct change_sample
history_between(const struct history_series *s, enum history_measure m,
    size_t from, size_t to)
{
	return change_between(s->before[m], from, to);
}

double
history_value(enum history_measure m, const struct change_sample *s)
{
	if (s->n == 0)
		return NAN;
	return m == HISTORY_RATE ? (double)s->hits / (double)s->n
				 : change_mean(s);
}

struct stats_interval
history_interval(enum history_measure m, const struct change_sample *s)
{
	return m == HISTORY_RATE && s->n != 0 ? stats_wilson(s->hits, s->n)
					      : change_interval(s);
}

bool
history_was_checked(const struct history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct history_series *s = h->list[i];

		for (size_t j = 0; j < s->n; j++) {
			struct change_sample c =
			    history_between(s, HISTORY_RATE, j, j + 1);

			if (s->cells[j]->point->batch != 0 && c.n != 0)
				return true;
		}
	}
	return false;
}

/* ---- changes and states ---- */

static bool
is_worse(enum history_measure m, const struct change_sample side[2])
{
	if (m != HISTORY_RATE)
		return change_mean(&side[1]) > change_mean(&side[0]);
	return (double)side[1].hits * (double)side[0].n <
	    (double)side[0].hits * (double)side[1].n;
}

static void
find_changes(struct history *h, enum history_measure m)
{
	struct change_family family = { .rates = m == HISTORY_RATE,
		.margin = h->margin,
		.alpha = h->alpha };

	for (size_t i = 0; i < h->n; i++)
		change_family_add(
		    &family, h->list[i]->before[m], h->list[i]->n, &h->arena);
	change_family_close(&family);
	for (size_t i = 0; i < h->n; i++) {
		struct history_series *s = h->list[i];
		size_t n;
		struct change_point *found =
		    change_points(&family, s->before[m], s->n, &h->arena, &n);

		for (size_t j = 0; j < n; j++)
			*arena_push(&h->arena, s->changes, s->n_changes) =
			    (struct history_change){ m, found[j],
				    is_worse(m, found[j].side) };
	}
}

size_t
history_since(const struct history_series *s, enum history_measure m)
{
	size_t since = 0;

	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].measure == m)
			since = s->changes[i].at.at;
	return since;
}

/* Returns the state of a series of which some runs since its last change passed and
 * some did not, by how often these turn. */
static enum history_state
state_of_turns(struct history_series *s)
{
	bool passed = false, begun = false;
	size_t turns = 0;

	for (size_t i = s->since; i < s->n; i++) {
		struct change_sample c =
		    history_between(s, HISTORY_RATE, i, i + 1);
		bool now = c.hits != 0;

		if (c.n == 0)
			continue;
		if (c.hits != 0 && c.hits != c.n)
			return HISTORY_FLAKY;
		if (begun && now != passed) {
			turns++;
			s->state_since = i;
		}
		passed = now;
		begun = true;
	}
	if (turns > 1)
		return HISTORY_FLAKY;
	return passed ? HISTORY_PASSING : HISTORY_FAILING;
}

static void
set_state(struct history_series *s)
{
	struct change_sample last;
	const struct history_change *change = NULL;

	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].measure == HISTORY_RATE)
			change = &s->changes[i];
	s->since = s->state_since = change == NULL ? 0 : change->at.at;
	last = history_between(s, HISTORY_RATE, s->since, s->n);
	if (last.n == 0)
		s->state = HISTORY_UNRATED;
	else if (last.hits == last.n)
		s->state = HISTORY_PASSING;
	else if (last.hits == 0)
		s->state = HISTORY_BROKEN;
	else
		s->state = state_of_turns(s);
	s->dropped = change != NULL && change->worse && s->now &&
	    s->last >= s->cells[s->since]->point->start;
}

/* Reports as an error that all earlier runs, or all of the present input, have no time. */
static void
check_times(const struct history *h)
{
	static const char *const sides[] = { "earlier", "present" };
	bool dated[2] = { false };

	for (size_t i = 0; i < h->n_points; i++)
		dated[0] |= h->points[i]->batch != 0;
	for (size_t i = 0; i < h->n; i++)
		dated[1] |= h->list[i]->now;
	for (int i = 0; i < 2; i++)
		if (!dated[i] && h->undated[i] != 0)
			diag_error((struct place){ 0 },
			    "--history: expected %s runs with ts_start, found "
			    "none among %zu",
			    sides[i], h->undated[i]);
}

void
history_finish(struct history *h)
{
	order_points(h);
	check_times(h);
	for (size_t i = 0; i < h->n; i++)
		sum_up(h, h->list[i]);
	for (int m = 0; m < HISTORY_MEASURES; m++)
		find_changes(h, (enum history_measure)m);
	for (size_t i = 0; i < h->n; i++) {
		set_state(h->list[i]);
		h->states[h->list[i]->state]++;
		h->dropped += h->list[i]->dropped;
	}
	if (h->n != 0)
		qsort(h->list, h->n, sizeof *h->list, compare_series);
}
