#include "text/table.h"

#include "text/layout.h"

enum {
	GAP = 2, /* between columns */
	/* To what names are shortened: before optional columns are left out;
	 * where there are none; and where else the table would not fit. */
	NAME_EASY = 16,
	NAME_MIN = 12,
	NAME_LEAST = 6,
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
table_optional(struct table *t, int optional)
{
	t->columns[t->n_columns - 1].optional = optional;
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
widest_name(const struct table *t, const size_t *widths, size_t least)
{
	size_t found = t->n_columns;

	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].name && widths[i] > least &&
		    (found == t->n_columns || widths[i] > widths[found]))
			found = i;
	return found;
}

static size_t *
fit(const struct table *t, size_t width)
{
	size_t *widths = arena_new_n(t->arena, size_t, t->n_columns);
	size_t all = GAP * (t->n_columns - 1), least = NAME_MIN, i;

	for (i = 0; i < t->n_columns; i++) {
		widths[i] = column_width(t, i);
		all += widths[i];
	}
	while (all > width) {
		i = widest_name(t, widths, least);
		if (i != t->n_columns) {
			widths[i]--;
			all--;
		} else if (least == NAME_MIN) {
			least = NAME_LEAST;
		} else {
			break;
		}
	}
	return widths;
}

/* ---- folding ---- */

/* Returns whether the column says nothing: a sum of rows may have no name. */
static bool
is_empty(const struct table *t, size_t column)
{
	bool dash = false;

	for (size_t row = 0; row < table_rows(t); row++) {
		struct str text = table_at(t, row, column)->text;

		if (text.n != 0 && !str_is(text, "-"))
			return false;
		dash |= text.n != 0;
	}
	return dash;
}

/* Returns the optional column of the greatest number, of several the last one; or
 * n_columns. */
static size_t
least_needed(const struct table *t, const bool *shown)
{
	size_t found = t->n_columns;
	int most = 1;

	for (size_t i = 0; i < t->n_columns; i++)
		if (shown[i] && t->columns[i].optional >= most) {
			most = t->columns[i].optional;
			found = i;
		}
	return found;
}

static struct table
with_columns(const struct table *t, const bool *shown)
{
	struct table kept = { .arena = t->arena, .more = t->more };

	for (size_t i = 0; i < t->n_columns; i++)
		if (shown[i])
			table_column(&kept, t->columns[i]);
	for (size_t i = 0; i < t->n_cells; i++)
		if (shown[i % t->n_columns])
			table_cell(&kept, t->cells[i].text, t->cells[i].tone);
	return kept;
}

static struct str
folded_note(const struct table *t, const bool *folded, size_t width)
{
	struct str text = { 0 };

	for (size_t i = 0; i < t->n_columns; i++)
		if (folded[i])
			text = str_printf(t->arena, "%.*s%s%s", STR_FMT(text),
			    text.s == NULL ? "" : ", ", t->columns[i].title);
	if (text.s == NULL)
		return text;
	return str_printf(t->arena,
	    "not shown at this width: %.*s (see COLUMNS=%zu)", STR_FMT(text),
	    width);
}

struct table
table_fold(const struct table *t, size_t width, struct str *note)
{
	bool *shown = arena_new_n(t->arena, bool, t->n_columns);
	bool *folded = arena_new_n(t->arena, bool, t->n_columns);
	size_t *widths = arena_new_n(t->arena, size_t, t->n_columns);
	size_t all = 0, easy, i;

	*note = (struct str){ 0 };
	if (width == SIZE_MAX || table_rows(t) == 0)
		return *t;
	for (i = 0; i < t->n_columns; i++) {
		shown[i] = !is_empty(t, i);
		widths[i] = column_width(t, i);
		if (t->columns[i].name && widths[i] > NAME_EASY)
			widths[i] = NAME_EASY;
		widths[i] += GAP;
		all += shown[i] ? widths[i] : 0;
	}
	if (all == 0)
		return *t;
	easy = all -= GAP;
	while (all > width && (i = least_needed(t, shown)) != t->n_columns) {
		shown[i] = false;
		folded[i] = true;
		all -= widths[i];
	}
	*note = folded_note(t, folded, easy);
	return with_columns(t, shown);
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
