#include "check/placeholders.h"

#include "io/out.h"

struct str
placeholders_fill(
    struct arena *a, struct str text, placeholder_value *value, void *arg)
{
	struct out o;

	out_open_memory(&o);
	while (text.n != 0) {
		size_t at = str_find(text, STR("{{")), end;
		struct str found = { 0 };

		out_str(&o, str_slice(text, 0, at));
		text = str_from(text, at);
		end = str_find(text, STR("}}"));
		if (end < text.n)
			found = value(str_slice(text, 2, end), arg);
		if (found.s != NULL) {
			out_str(&o, found);
			text = str_from(text, end + 2);
		} else if (text.n != 0) {
			out_text(&o, "{{");
			text = str_from(text, 2);
		}
	}
	return out_keep(&o, a);
}
