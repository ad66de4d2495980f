#include "report/table/triggers.h"

#include "report/table/cells.h"
#include "report/table/summary.h"

struct triggers_row *
triggers_rows(struct arena *a, const struct tally *t, size_t *n)
{
	struct triggers_row *rows = NULL, *row;

	*n = 0;
	for (size_t i = 0; i < t->triggers.n; i++) {
		const struct tally_pair *p = t->triggers.list[i];
		bool wanted = str_starts(p->text, "+");
		bool triggers = p->times * 2 >= p->of;

		if (*n == 0 || !str_eq(rows[*n - 1].skill, p->name))
			arena_push(a, rows, *n)->skill = p->name;
		row = &rows[*n - 1];
		row->queries++;
		row->wanted += wanted;
		row->hits += wanted && triggers;
		row->alarms += !wanted && triggers;
	}
	return rows;
}

struct table
triggers_table(struct arena *a, const struct tally *t)
{
	struct table table = { .arena = a };
	size_t n;
	const struct triggers_row *rows = triggers_rows(a, t, &n);

	if (n == 0)
		return table;
	cells_name_column(&table, "skill");
	cells_number_column(&table, "queries");
	cells_number_column(&table, "triggered");
	cells_number_column(&table, "false alarms");
	cells_number_column(&table, "recall");
	cells_number_column(&table, "precision");
	for (size_t i = 0; i < n; i++) {
		const struct triggers_row *r = &rows[i];

		cells_name(&table, r->skill);
		cells_number(&table, r->queries, TONE_PLAIN);
		cells_text(
		    &table, str_printf(a, "%zu of %zu", r->hits, r->wanted));
		cells_text(&table,
		    str_printf(
			a, "%zu of %zu", r->alarms, r->queries - r->wanted));
		cells_text(&table, summary_rate(a, r->hits, r->wanted));
		cells_text(
		    &table, summary_rate(a, r->hits, r->hits + r->alarms));
	}
	return table;
}
