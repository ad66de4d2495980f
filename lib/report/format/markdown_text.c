#include "report/format/markdown_text.h"

#include <string.h>

#include "text/layout.h"

/* As HTML's code element: what a code span cannot hold within a table. */
static void
put_code_element(struct out *o, struct str text)
{
	out_text(o, "<code>");
	for (size_t i = 0; i < text.n; i++) {
		if (strchr("&<>|`\\*_[]~", text.s[i]) != NULL)
			out_printf(o, "&#%d;", text.s[i]);
		else
			out_char(o, text.s[i]);
	}
	out_text(o, "</code>");
}

void
markdown_code(struct out *o, struct str text, struct arena *a)
{
	text = layout_clean(a, text, false);
	if (str_trim(text).n == 0)
		out_text(o, "-");
	else if (str_find_char(text, '|') < text.n ||
	    str_find_char(text, '`') < text.n)
		put_code_element(o, text);
	else
		out_printf(o, "`%.*s`", STR_FMT(text));
}

void
markdown_block(
    struct out *o, struct str text, const char *indent, struct arena *a)
{
	size_t fence = 3, run = 0;

	text = layout_clean(a, text, true);
	for (size_t i = 0; i < text.n; i++) {
		run = text.s[i] == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	for (int edge = 0; edge < 2; edge++) {
		out_text(o, indent);
		for (size_t i = 0; i < fence; i++)
			out_char(o, '`');
		out_text(o, edge == 0 ? "text" : "");
		out_line(o);
		while (edge == 0 && text.s != NULL) {
			out_text(o, indent);
			out_str(o, str_cut(&text, '\n'));
			out_line(o);
		}
	}
}
