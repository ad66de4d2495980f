#include "report/format/format.h"

#include <string.h>

const struct report_format *const report_table[] = {
	&report_text,
	&report_json,
	&report_csv,
	&report_markdown,
	&report_html,
	&report_junit,
	&report_tap,
	&report_tap13,
	&report_ctrf,
	&report_sarif,
	&report_github,
	&report_lines,
	&report_mcplab,
	&report_mcplab_summary,
	NULL,
};

const char *
report_row(size_t i, const char **what)
{
	const size_t n = sizeof report_table / sizeof report_table[0];
	const struct report_format *row = i < n ? report_table[i] : NULL;

	if (row == NULL)
		return NULL;
	*what = row->what;
	return row->name;
}

const struct report_format *
report_format_named(const char *name)
{
	const struct report_format *const *r = report_table;

	while (*r != NULL && strcmp((*r)->name, name) != 0)
		r++;
	return *r;
}
