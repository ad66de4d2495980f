#include "emulate/content/html.h"

#include "check/answer/answer_kinds.h"

static struct finding
html_find(const void *want, struct view *v)
{
	const bool *within = want;
	struct str text = view_text(v, VIEW_AS_WRITTEN), why;
	struct finding f = { .found = FOUND_YES };
	bool open = false;

	if (*within)
		why = html_has_signs(text) ? str_of(NULL) : STR("no HTML");
	else
		why = html_fault(v->arena, text, &open);
	if (open)
		return finding_skip(str_cat(v->arena, STR("depends on "), why));
	if (why.s != NULL)
		f.found = FOUND_NO;
	f.why = why.s != NULL ? why : STR("HTML");
	f.open = v->cut & VIEW_TEXT && !(*within && f.found == FOUND_YES);
	return f;
}

static void
html_show(const void *want, struct out *o)
{
	const bool *within = want;

	out_member_str(o, "html", *within ? STR("within") : STR("whole"));
}

struct check
html_check(struct arena *a, bool within)
{
	static const struct check_kind kind = {
		.name = "html", .find = html_find, .show = html_show
	};

	return check_new(a, &kind, &within, sizeof within, VIEW_TEXT);
}
