#include "text/xml.h"

#include <string.h>

#include "text/layout.h"

static void
put_reference(struct out *o, char c)
{
	switch (c) {
	case '&':
		out_text(o, "&amp;");
		break;
	case '<':
		out_text(o, "&lt;");
		break;
	case '>':
		out_text(o, "&gt;");
		break;
	case '"':
		out_text(o, "&quot;");
		break;
	default:
		out_printf(o, "&#%d;", c);
	}
}

/* Writes the text, with a reference for each character in `special`, which
 * holds some of &<>" and newline, and for those that would open a command of
 * GitHub's runner. */
static void
put(struct out *o, struct str text, const char *special, struct arena *a)
{
	struct workflow_command line = { .inside = true };
	size_t done = 0;

	text = layout_clean(a, text, true);
	for (size_t i = 0; i < text.n; i++) {
		bool opens =
		    workflow_command_opens(&line, (unsigned char)text.s[i]);

		if (!opens && strchr(special, text.s[i]) == NULL)
			continue;
		out_str(o, str_slice(text, done, i));
		put_reference(o, text.s[i]);
		done = i + 1;
	}
	out_str(o, str_from(text, done));
}

void
xml_text(struct out *o, struct str text, struct arena *a)
{
	put(o, text, "&<>", a);
}

void
xml_attribute(struct out *o, const char *name, struct str text, struct arena *a)
{
	out_printf(o, " %s=\"", name);
	put(o, text, "&<>\"\n", a);
	out_char(o, '"');
}
