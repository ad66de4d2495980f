#include "extract/format/between_marks.h"

struct str
between_marks(struct str body, struct str open, struct str close)
{
	const struct str line = STR("\\n");
	struct str text;

	if (!str_contains(body, open))
		return body;
	text = str_from(body, str_find(body, open) + open.n);
	text = str_slice(text, 0, str_find(text, close));
	if (str_starts(text, line))
		text = str_from(text, line.n);
	if (str_ends(text, line) && !str_ends(text, "\\\\n"))
		text.n -= line.n;
	return text;
}
