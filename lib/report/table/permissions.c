#include "report/table/permissions.h"

#include <stdlib.h>

#include "report/table/cells.h"
#include "text/humanize.h"
#include "text/layout.h"

/* ---- calls ---- */

/* Returns what the reports call the decision on a call. */
static const char *
title_of(int decision)
{
	static const char *const titles[DECISIONS] = {
		[DECISION_ALLOW] = "allow",
		[DECISION_ASK] = "ask",
		[DECISION_DENY] = "deny",
		[DECISION_NONE] = "no line",
		[DECISION_UNKNOWN] = "unknown",
	};

	return titles[decision];
}

static enum tone
tone_of(int decision)
{
	static const enum tone tones[DECISIONS] = {
		[DECISION_ALLOW] = TONE_GOOD,
		[DECISION_ASK] = TONE_WARN,
		[DECISION_DENY] = TONE_BAD,
		[DECISION_NONE] = TONE_WARN,
		[DECISION_UNKNOWN] = TONE_WARN,
	};

	return tones[decision];
}

struct table
permissions_calls(struct arena *a, const struct tally *t, const struct rows *r)
{
	struct table table = { .arena = a };
	const struct tally_calls *all = &t->total.permissions;

	if (all->runs == 0)
		return table;
	cells_name_columns(&table, r);
	cells_optional_column(&table, "runs", 1);
	cells_optional_column(&table, "calls", 2);
	for (int d = 0; d < DECISIONS; d++)
		if (d != DECISION_UNKNOWN || all->calls[d] != 0)
			cells_number_column(&table, title_of(d));
	if (all->open != 0)
		cells_number_column(&table, "open");
	for (size_t i = 0; i < r->n; i++) {
		const struct tally_calls *c = &r->list[i]->permissions;

		if (c->runs == 0)
			continue;
		cells_names(&table, r, r->list[i], i >= t->n);
		cells_number(&table, c->runs, TONE_PLAIN);
		cells_number(&table, tally_calls_all(c), TONE_PLAIN);
		for (int d = 0; d < DECISIONS; d++)
			if (d != DECISION_UNKNOWN || all->calls[d] != 0)
				cells_number(&table, c->calls[d], tone_of(d));
		if (all->open != 0)
			cells_number(&table, c->open, TONE_WARN);
	}
	return table;
}

/* Returns how many calls lines say something of that the agent does not see. */
static size_t
not_seen(const struct tally *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->permissions.n; i++) {
		const struct tally_permission *p = t->permissions.list[i];

		n += p->unseen;
	}
	return n;
}

struct str
permissions_sum(struct arena *a, const struct tally *t, bool hint)
{
	const struct tally_calls *c = &t->total.permissions;
	struct str text;
	size_t unseen = not_seen(t);
	bool any = false;

	if (c->runs == 0)
		return (struct str){ 0 };
	text = str_printf(a, "permissions: %.*s in %.*s",
	    STR_FMT(humanize_of(a, tally_calls_all(c), "call")),
	    STR_FMT(humanize_of(a, c->runs, "run")));
	for (int d = 0; d < DECISIONS; d++) {
		if (c->calls[d] == 0)
			continue;
		text = str_printf(a, "%.*s%s%zu %s", STR_FMT(text),
		    any ? ", " : ": ", c->calls[d], title_of(d));
		any = true;
	}
	if (unseen != 0)
		text = str_printf(a, "%.*s; not seen by the agent: %.*s",
		    STR_FMT(text), STR_FMT(humanize_of(a, unseen, "call")));
	return hint ? str_cat(a, text, STR(" (see --details)")) : text;
}

/* ---- lines ---- */

/* Returns the place of a decision in the order of the tables, the strictest
 * first. */
static int
rank(const struct tally_permission *p)
{
	static const enum tally_decision order[] = { DECISION_DENY,
		DECISION_ASK, DECISION_ALLOW };
	int i = 0;

	while (i < 3 && !str_is(p->decision, tally_decision_name(order[i])))
		i++;
	return i;
}

static int
compare(const void *a, const void *b)
{
	const struct tally_permission *p =
	    *(const struct tally_permission *const *)a;
	const struct tally_permission *q =
	    *(const struct tally_permission *const *)b;
	size_t line;
	int c =
	    str_cmp(failure_place(p->at, &line), failure_place(q->at, &line));

	if (c == 0)
		c = rank(p) - rank(q);
	if (c == 0)
		c = (p->calls < q->calls) - (p->calls > q->calls);
	if (c == 0)
		c = failure_place_compare(p->at, q->at);
	if (c == 0)
		c = str_cmp(p->line, q->line);
	return c != 0 ? c : str_cmp(p->item.key.text, q->item.key.text);
}

/* Returns the first lines of a kind: in a file, or not. */
static const struct tally_permission **
sorted(struct table *t, const struct bounded_map *map, bool lines, size_t *n)
{
	const struct tally_permission **list =
	    arena_new_n(t->arena, const struct tally_permission *, map->n);
	size_t all = 0;

	for (size_t i = 0; i < map->n; i++)
		if (tally_permission_is_line(map->list[i]) == lines)
			list[all++] = map->list[i];
	qsort(list, all, sizeof *list, compare);
	*n = all < *n ? all : *n;
	t->more = all - *n;
	return list;
}

/* Adds the day of a time; the time itself is in the json report. */
static void
day_cell(struct table *t, struct str time)
{
	cells_text(t, time.n != 0 ? str_slice(time, 0, 10) : (struct str){ 0 });
}

struct table
permissions_lines(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	const struct tally_permission **list =
	    sorted(&table, &t->permissions, true, &most);
	bool unseen = false, maybe = false;

	for (size_t i = 0; i < most; i++) {
		unseen |= list[i]->unseen != 0;
		maybe |= list[i]->maybe != 0;
	}
	cells_name_column(&table, "decision");
	cells_name_column(&table, "line");
	cells_number_column(&table, "calls");
	cells_number_column(&table, "runs");
	if (unseen)
		cells_number_column(&table, "not seen");
	if (maybe)
		cells_number_column(&table, "perhaps");
	cells_optional_column(&table, "last", 2);
	cells_name_column(&table, "place");
	table_optional(&table, 1);
	for (size_t i = 0; i < most; i++) {
		const struct tally_permission *p = list[i];

		cells_name(&table, p->decision);
		cells_name(&table, p->line);
		cells_number(&table, p->calls, TONE_PLAIN);
		cells_number(&table, p->runs, TONE_PLAIN);
		if (unseen)
			cells_number(&table, p->unseen, TONE_BAD);
		if (maybe)
			cells_number(&table, p->maybe, TONE_WARN);
		day_cell(&table, p->last.text);
		cells_name(&table, p->at);
	}
	return table;
}

struct table
permissions_covers(struct arena *a, const struct tally *t, size_t most)
{
	struct table table = { .arena = a };
	const struct tally_permission **list =
	    sorted(&table, &t->permissions, false, &most);
	bool remarks = false;

	for (size_t i = 0; i < most; i++)
		remarks |= list[i]->irrevocable;
	cells_name_column(&table, "line");
	cells_number_column(&table, "calls");
	cells_number_column(&table, "runs");
	cells_optional_column(&table, "last", 1);
	if (remarks)
		cells_name_column(&table, "remark");
	for (size_t i = 0; i < most; i++) {
		const struct tally_permission *p = list[i];

		cells_name(
		    &table, p->line.n == 0 ? STR("(no line can)") : p->line);
		cells_number(&table, p->calls, TONE_PLAIN);
		cells_number(&table, p->runs, TONE_PLAIN);
		day_cell(&table, p->last.text);
		if (remarks)
			cells_name(&table,
			    p->irrevocable
				? STR("cannot be undone: never proposed")
				: (struct str){ 0 });
	}
	return table;
}
