#include "check/capture.h"

#include <math.h>

#include "emulate/lang/js.h"

static struct str
group_wanted(const struct regex *regex, const struct regex_match *m)
{
	size_t value = regex_group(regex, STR("value"));

	if (value != 0 && m->groups[value].s != NULL)
		return m->groups[value];
	if (m->n > 1 && m->groups[1].s != NULL)
		return m->groups[1];
	return m->groups[0];
}

static struct str
json_of(struct str text, struct arena *a)
{
	struct str trimmed = js_trim(text);
	char buf[JS_NUMBER_SIZE];
	double number;

	if (str_is(trimmed, "true") || str_is(trimmed, "false"))
		return trimmed;
	if (trimmed.n != 0 && js_to_number(trimmed, &number, a))
		return isfinite(number) ? str_dup(a, js_number(number, buf))
					: STR("null");
	return out_quote(a, text);
}

/* Returns whether the match, and each group, which may reach beyond the match,
 * ends before the end of the text. A group that does not point into the text is
 * a copy (of half a character), which counts as reaching the end. */
static bool
ends_within(const struct regex_match *m, struct str text)
{
	const char *end = text.s + text.n;

	for (size_t i = 0; i < m->n; i++) {
		struct str g = m->groups[i];

		if (g.s != NULL && (g.s < text.s || g.s + g.n >= end))
			return false;
	}
	return true;
}

struct str
capture_value(const struct capture *c, struct view *v)
{
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct str nothing = { 0 };
	bool cut = v->cut & VIEW_TEXT;
	enum regex_found found = REGEX_NO;
	struct regex_match m;

	if (!(v->have & VIEW_TEXT))
		return nothing;
	if (c->regex != NULL)
		found = view_search(v, c->regex, &m);
	if (found != REGEX_YES)
		return found == REGEX_LIMIT || cut ? nothing : STR("null");
	if (cut && !ends_within(&m, text))
		return nothing;
	return json_of(group_wanted(c->regex, &m), v->arena);
}
