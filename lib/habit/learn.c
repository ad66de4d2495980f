/* Learns a policy from good and bad runs. */
#include "habit/learn.h"

#include <stdlib.h>

#include "habit/lesson.h"
#include "trace/verdict.h"

static struct learn_scenario *
scenario_of(struct learn *l, const struct trace *t, struct arena *moment)
{
	struct str name = json_text(t->member[TRACE_SCENARIO_ID], moment);
	void **place;

	if (name.n == 0)
		name = str_of(NULL);
	l->table.arena = &l->arena;
	place = hash_put_copy(&l->table, hash_key(moment, &name, 1));
	if (*place == NULL) {
		struct learn_scenario *s =
		    arena_new(&l->arena, struct learn_scenario);

		s->name = name.s == NULL ? name : str_dup(&l->arena, name);
		*arena_push(&l->arena, l->list, l->n) = *place = s;
	}
	return *place;
}

void
learn_add(
    struct learn *l, const struct trace *t, bool good, struct arena *moment)
{
	enum status status;
	bool decided = verdict_of(t, &status);
	struct learn_scenario *s;
	size_t unknown;

	if (decided && (status == STATUS_PASSED) != good)
		return;
	s = scenario_of(l, t, moment);
	unknown = s->runs.unknown;
	contrasts_add(&s->runs, t, good ? STR("good") : STR("bad"), moment);
	if (s->runs.unknown != unknown)
		l->unknown++;
	else if (good)
		l->good++;
	else
		l->bad++;
}

static void
write_lesson(struct out *o, const struct lessons *l, const struct lesson *it)
{
	const char *kind =
	    habit_is_of_each(it->habit.form) || it->habit.form == HABIT_COUNT
	    ? "that call the tool "
	    : "";

	out_printf(o, "# All %zu good runs %skeep the rule", it->applied, kind);
	if (it->broken != 0)
		out_printf(
		    o, "; %zu of %zu bad runs break it", it->broken, l->bad);
	out_text(o, ".");
	out_line(o);
	out_str(o, it->rule);
	out_line(o);
}

/* Puts the glob of the section: a character that a section cannot have is any. */
static void
write_section(struct out *o, struct str name)
{
	out_char(o, '[');
	for (size_t i = 0; i < name.n; i++) {
		bool end = i == 0 || i + 1 == name.n;
		bool bad = (unsigned char)name.s[i] < (end ? '!' : ' ') ||
		    strchr("[]", name.s[i]) != NULL;

		out_char(o, (char)(bad ? '?' : name.s[i]));
	}
	out_char(o, ']');
	out_line(o);
}

static size_t
write_scenario(const struct learn_scenario *s, struct out *o)
{
	struct arena moment = { 0 };
	struct lessons l = lessons_of(s, &moment);
	size_t n = l.n;

	out_line(o);
	if (s->name.s != NULL)
		write_section(o, s->name);
	if (n == 0) {
		out_printf(o,
		    "# Nothing: %zu good and %zu bad runs; a habit needs %d "
		    "good runs.",
		    l.good, l.bad, LEARN_HABIT);
		out_line(o);
	}
	for (size_t i = 0; i < n; i++)
		write_lesson(o, &l, &l.list[i]);
	arena_free(&moment);
	return n;
}

static int
by_name(const void *a, const void *b)
{
	const struct learn_scenario *const *x = a, *const *y = b;

	return str_cmp((*x)->name, (*y)->name);
}

/* Returns whether the rules would be for the runs of other scenarios as well. */
static bool
is_for_all(const struct learn *l, const struct learn_scenario *s)
{
	return s->name.s == NULL && l->n > 1;
}

size_t
learn_write(struct learn *l, struct out *o)
{
	size_t n = 0;

	out_printf(o,
	    "# Learned from %zu good and %zu bad runs by mcpl-check --learn.",
	    l->good, l->bad);
	out_line(o);
	if (l->n != 0)
		qsort(l->list, l->n, sizeof l->list[0], by_name);
	for (size_t i = 0; i < l->n; i++) {
		if (!is_for_all(l, l->list[i])) {
			n += write_scenario(l->list[i], o);
			continue;
		}
		out_text(o,
		    "# Nothing of the runs without a scenario, since "
		    "such rules are for every run.");
		out_line(o);
	}
	return n;
}

void
learn_free(struct learn *l)
{
	for (size_t i = 0; i < l->n; i++)
		contrasts_free(&l->list[i]->runs);
	arena_free(&l->arena);
	*l = (struct learn){ 0 };
}
