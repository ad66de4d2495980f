#include "text/xml.h"

#include <string.h>

#include "text/layout.h"

static const char *
reference(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return "&#10;";
	}
}

/* Writes the text, with a reference for each character in `special`, which
 * holds some of &<>" and newline. */
static void
put(struct out *o, struct str text, const char *special, struct arena *a)
{
	size_t done = 0;

	text = layout_clean(a, text, true);
	for (size_t i = 0; i < text.n; i++) {
		if (strchr(special, text.s[i]) == NULL)
			continue;
		out_str(o, str_slice(text, done, i));
		out_text(o, reference(text.s[i]));
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
