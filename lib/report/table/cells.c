#include "report/table/cells.h"

#include "text/layout.h"

void
cells_name_column(struct table *t, const char *title)
{
	table_column(t, (struct table_column){ .title = title, .name = true });
}

void
cells_name_columns(struct table *t, const struct rows *r)
{
	for (size_t i = 0; i < r->by.n; i++)
		if (r->shown[i])
			cells_name_column(t,
			    str_c(t->arena,
				layout_clean(t->arena,
				    rows_title(r->by.list[i]), false)));
}

static struct str
absent(struct str by)
{
	const struct tally_key *key = tally_key(by);

	return key == NULL ? STR("-") : str_of(key->absent);
}

void
cells_names(struct table *t, const struct rows *r, const struct tally_group *g,
    bool sum)
{
	for (size_t i = 0; i < r->by.n; i++) {
		struct str name = g->names.list[i];

		if (!r->shown[i])
			continue;
		if (name.s != NULL)
			name = layout_clean(t->arena, name, false);
		else
			name = sum ? STR("") : absent(r->by.list[i]);
		table_cell(t, name, sum ? TONE_STRONG : TONE_PLAIN);
	}
}

void
cells_name(struct table *t, struct str name)
{
	table_cell(t,
	    name.s == NULL ? STR("-") : layout_clean(t->arena, name, false),
	    TONE_PLAIN);
}

void
cells_number_column(struct table *t, const char *title)
{
	table_column(t, (struct table_column){ .title = title, .right = true });
}

void
cells_optional_column(struct table *t, const char *title, int optional)
{
	cells_number_column(t, title);
	table_optional(t, optional);
}

void
cells_number(struct table *t, size_t n, enum tone tone)
{
	table_cell(
	    t, str_printf(t->arena, "%zu", n), n == 0 ? TONE_FAINT : tone);
}

void
cells_text(struct table *t, struct str text)
{
	table_cell(t, text.s == NULL ? STR("-") : text,
	    text.s == NULL ? TONE_FAINT : TONE_PLAIN);
}
