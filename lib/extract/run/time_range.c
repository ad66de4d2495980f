#include "extract/run/time_range.h"

#include <stdio.h>
#include <time.h>

#include "base/timestamp.h"

/* Parses a time span before now, such as 30m: a whole number and a unit. */
static bool
ago(struct str t, int64_t *ms)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 },
		{ 'w', 604800 } };
	int64_t n = 0;

	for (; t.n > 1 && *t.s >= '0' && *t.s <= '9' && n < 1000000; t.n--)
		n = n * 10 + (*t.s++ - '0');
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		if (t.n == 1 && n != 0 && *t.s == units[i].letter) {
			*ms =
			    ((int64_t)time(NULL) - n * units[i].seconds) * 1000;
			return true;
		}
	}
	return false;
}

bool
time_range_moment(struct str t, int64_t *ms)
{
	char midnight[32];

	if (t.n != 10)
		return timestamp_text(t, ms) || ago(t, ms);
	snprintf(midnight, sizeof midnight, "%.*sT00:00:00Z", STR_FMT(t));
	return timestamp_text(str_of(midnight), ms);
}

/* ---- runs ---- */

/* The first and the last known time of a run. */
struct extent {
	int64_t first, last;
};

static void
add(struct extent *e, const struct moment *m)
{
	if (m->text.s == NULL)
		return;
	if (m->ms < e->first)
		e->first = m->ms;
	if (m->ms > e->last)
		e->last = m->ms;
}

static void
add_thread(struct extent *e, const struct thread *t)
{
	for (const struct turn *n = t->turns; n != NULL; n = n->next) {
		add(e, &n->first);
		add(e, &n->last);
	}
}

bool
time_range_has(const struct time_range *p, const struct run *run)
{
	struct extent e = { INT64_MAX, INT64_MIN };

	add(&e, &run->start);
	add(&e, &run->end);
	add_thread(&e, &run->main);
	for (const struct thread *t = run->threads; t != NULL; t = t->next)
		add_thread(&e, t);
	return e.first > e.last || (e.last >= p->since && e.first < p->until);
}
