#include "text/table.h"

#include "text/layout.h"

enum {
	GAP = 2,       /* between columns */
	NAME_MIN = 12, /* a name is not shortened below this */
};

static const char *const colors[] = {
	[TONE_PLAIN] = "",
	[TONE_GOOD] = "\x1b[32m",
	[TONE_BAD] = "\x1b[1;31m",
	[TONE_WARN] = "\x1b[33m",
	[TONE_FAINT] = "\x1b[2m",
	[TONE_STRONG] = "\x1b[1m",
};

const char *
tone_begin(enum tone t)
{
	return colors[t];
}

const char *
tone_end(enum tone t)
{
	return t == TONE_PLAIN ? "" : "\x1b[0m";
}

void
table_column(struct table *t, struct table_column c)
{
	*arena_push(t->arena, t->columns, t->n_columns) = c;
}

void
table_cell(struct table *t, struct str text, enum tone tone)
{
	*arena_push(t->arena, t->cells, t->n_cells) =
	    (struct table_cell){ text, tone };
}

const struct table_cell *
table_at(const struct table *t, size_t row, size_t column)
{
	return &t->cells[row * t->n_columns + column];
}

size_t
table_rows(const struct table *t)
{
	return t->n_columns == 0 ? 0 : t->n_cells / t->n_columns;
}

struct str
table_left_out(struct arena *a, size_t n)
{
	if (n == 0)
		return (struct str){ 0 };
	return str_printf(
	    a, "%zu more row%s not shown", n, n == 1 ? " is" : "s are");
}

static size_t
column_width(const struct table *t, size_t column)
{
	size_t width = layout_width(str_of(t->columns[column].title));

	for (size_t row = 0; row < table_rows(t); row++) {
		size_t w = layout_width(table_at(t, row, column)->text);

		if (w > width)
			width = w;
	}
	return width;
}

/* Returns the widest name column that may still shrink, or n_columns. */
static size_t
widest_name(const struct table *t, const size_t *widths)
{
	size_t found = t->n_columns;

	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].name && widths[i] > NAME_MIN &&
		    (found == t->n_columns || widths[i] > widths[found]))
			found = i;
	return found;
}

static size_t *
fit(const struct table *t, size_t width)
{
	size_t *widths = arena_new_n(t->arena, size_t, t->n_columns);
	size_t all = GAP * (t->n_columns - 1), i;

	for (i = 0; i < t->n_columns; i++) {
		widths[i] = column_width(t, i);
		all += widths[i];
	}
	for (; all > width; all--) {
		i = widest_name(t, widths);
		if (i == t->n_columns)
			break;
		widths[i]--;
	}
	return widths;
}

static void
put_cell(struct out *o, const struct table *t, size_t column,
    const struct table_cell *c, size_t width)
{
	struct str text = layout_squeeze(t->arena, c->text, width);
	size_t taken = layout_width(text);
	size_t space = taken < width ? width - taken : 0;
	bool last = column + 1 == t->n_columns;

	if (column != 0)
		layout_space(o, GAP);
	if (t->columns[column].right)
		layout_space(o, space);
	if (text.n != 0) {
		out_text(o, tone_begin(c->tone));
		out_str(o, text);
		out_text(o, tone_end(c->tone));
	}
	if (!t->columns[column].right && !last)
		layout_space(o, space);
}

void
table_write(struct out *o, const struct table *t, size_t width, bool color)
{
	size_t *widths;

	if (t->n_columns == 0)
		return;
	widths = fit(t, width);
	for (size_t i = 0; i < t->n_columns; i++) {
		struct table_cell c = { str_of(t->columns[i].title),
			color ? TONE_STRONG : TONE_PLAIN };

		put_cell(o, t, i, &c, widths[i]);
	}
	out_line(o);
	for (size_t row = 0; row < table_rows(t); row++) {
		for (size_t i = 0; i < t->n_columns; i++) {
			struct table_cell c = *table_at(t, row, i);

			if (!color)
				c.tone = TONE_PLAIN;
			put_cell(o, t, i, &c, widths[i]);
		}
		out_line(o);
	}
}
