/* Counts the habits of runs. */
#include "habit/counts.h"

/* Returns the run's hash, by which it is in one half and maybe in the sample, in
 * whichever order the runs come and wherever their logs lie. */
static uint64_t
hash_of_run(const struct trace *t)
{
	static const enum trace_member names[] = { TRACE_ID, TRACE_SCENARIO_ID,
		TRACE_AGENT, TRACE_RUN_INDEX };
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (t->member[names[i]] != NULL)
			hash = hash_add(hash, t->member[names[i]]->text);
	return t->member[TRACE_ID] == NULL && t->member[TRACE_SOURCE] != NULL
	    ? hash_add(hash, t->member[TRACE_SOURCE]->text)
	    : hash;
}

static size_t
group_at(struct contrasts *c, struct str group)
{
	for (size_t i = 0; i < c->n_groups; i++)
		if (str_eq(c->groups[i], group))
			return i;
	if (c->n_groups == CONTRAST_GROUPS)
		return CONTRAST_GROUPS;
	c->groups[c->n_groups] = str_dup(&c->arena, group);
	return c->n_groups++;
}

static struct str
kept(struct arena *a, struct str text)
{
	return text.s == NULL ? text : str_dup(a, text);
}

/* Returns the counts of the habit; NULL if there are too many habits. */
static struct contrast_habit *
habit_of(struct contrasts *c, const struct habit *h, struct arena *moment)
{
	struct str key = habit_key(h, moment);
	struct contrast_habit *counted = hash_get(&c->table, key);

	if (counted != NULL)
		return counted;
	c->full = c->full || c->n == CONTRAST_HABITS;
	if (c->full)
		return NULL;
	counted = arena_new(&c->arena, struct contrast_habit);
	counted->habit = *h;
	counted->habit.tool = kept(&c->arena, h->tool);
	counted->habit.other = kept(&c->arena, h->other);
	counted->habit.value = kept(&c->arena, h->value);
	counted->id = (uint32_t)c->n;
	*hash_put_copy(&c->table, key) = counted;
	*arena_push(&c->arena, c->habits, c->n) = counted;
	return counted;
}

/* Returns the place of the habit that the tool was called, which each run with a
 * habit of each call has as well; the habit's own if that is not counted. */
static uint32_t
base_of(
    struct contrasts *c, const struct contrast_habit *h, struct arena *moment)
{
	struct habit called = { .form = HABIT_CALLED, .tool = h->habit.tool };
	const struct contrast_habit *base = habit_of(c, &called, moment);

	return base == NULL ? h->id : base->id;
}

static void
widen_sample(struct contrasts *c)
{
	struct contrast_run *old = c->sample;

	c->room = c->room == 0 ? 16 : 2 * c->room;
	c->sample = arena_new_n(&c->arena, struct contrast_run, c->room);
	if (c->n_sample != 0)
		memcpy(c->sample, old, c->n_sample * sizeof *old);
}

/* Keeps the runs with the least hashes: the limit is halved when there are too
 * many. */
static struct contrast_run *
new_in_sample(struct contrasts *c, uint64_t hash)
{
	size_t n = 0;

	if (c->limit == 0)
		c->limit = UINT64_MAX;
	if (hash >= c->limit)
		return NULL;
	while (c->n_sample == CONTRAST_SAMPLE) {
		c->limit /= 2;
		for (size_t i = n = 0; i < c->n_sample; i++)
			if (c->sample[i].hash < c->limit)
				c->sample[n++] = c->sample[i];
		c->n_sample = n;
	}
	if (hash >= c->limit)
		return NULL;
	if (c->n_sample == c->room)
		widen_sample(c);
	return &c->sample[c->n_sample++];
}

void
contrasts_add(struct contrasts *c, const struct trace *t, struct str group,
    struct arena *moment)
{
	struct habit_list found;
	uint64_t hash = hash_of_run(t);
	size_t half = hash >> 7 & 1, at = group_at(c, group);
	struct contrast_run *run;

	if (!habits_of(t, moment, &found)) {
		c->unknown++;
		return;
	}
	c->table.arena = &c->arena;
	c->runs[half][at]++;
	c->valueless[half][at] += found.valueless;
	run = new_in_sample(c, hash);
	if (run != NULL)
		*run = (struct contrast_run){ hash, half, at,
			arena_new_n(&c->arena, uint32_t, found.n), 0,
			found.valueless };
	for (size_t i = 0; i < found.n; i++) {
		struct contrast_habit *h = habit_of(c, &found.list[i], moment);

		if (h == NULL)
			continue;
		if (habit_is_of_each(h->habit.form))
			h->base = base_of(c, h, moment);
		h->count[half][at]++;
		if (run != NULL)
			run->habits[run->n++] = h->id;
	}
}

void
contrasts_free(struct contrasts *c)
{
	arena_free(&c->arena);
	*c = (struct contrasts){ 0 };
}
