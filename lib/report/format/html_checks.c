#include <stdint.h>

#include "report/format/html.h"
#include "text/layout.h"

enum { NAME_MAX_BYTES = 8 * 1024 };

void
html_run_checks(struct out *o, const struct result *r, struct arena *a)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];
		struct str name = c->label.n != 0 ? c->label : c->type;

		if (name.n == 0)
			continue;
		out_printf(o, "\n%d", (int)c->status);
		out_quoted(o, layout_cut(a, name, NAME_MAX_BYTES));
	}
}

/* Returns the number of the name, from 1; writes the name before its first use. */
static size_t
number_of(struct out *o, struct hash_table *names, struct str name)
{
	void **place = hash_put_copy(names, name);
	size_t *number = *place;

	if (number == NULL) {
		*place = number = arena_new(names->arena, size_t);
		*number = names->n;
		out_json_raw(o, name);
	}
	return *number;
}

void
html_row_put(struct out *o, struct str piece, struct hash_table *names)
{
	struct str row = str_cut(&piece, '\n');

	out_str(o, str_slice(row, 0, row.n - 1));
	out_text(o, ",[");
	o->comma = false;
	while (piece.n != 0) {
		struct str check = str_cut(&piece, '\n');
		int status = check.s[0] - '0';
		size_t number = number_of(o, names, str_from(check, 1));

		out_json_int(o, (int64_t)number * STATUS_COUNT + status);
	}
	out_text(o, "]]");
	o->comma = false;
}
