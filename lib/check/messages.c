#include "messages.h"

static struct finding
find(const void *want, struct view *v)
{
	const struct check *inner = want;
	struct str_list texts = view_messages(v);
	struct finding best = { .found = FOUND_NO };
	bool open = false;

	for (size_t i = 0; i < texts.n; i++) {
		struct view *text = view_of_text(v, texts.list[i]);
		struct finding f;

		if (i + 1 == texts.n)
			text->cut = v->cut & VIEW_TEXT;
		f = inner->kind->find(inner->want, text);
		if (f.found == FOUND_YES && !f.open)
			return f;
		open |= f.open;
		if (best.found != FOUND_ERROR)
			best = f;
	}
	best.open = open;
	return best;
}

/* As find, of any message. */
static bool
case_differs(const void *want, struct view *v)
{
	struct str_list texts = view_messages(v);

	for (size_t i = 0; i < texts.n; i++)
		if (check_case_differs(want, view_of_text(v, texts.list[i])))
			return true;
	return false;
}

static void
show(const void *want, struct out *o)
{
	check_show_wanted(want, o);
	out_member_str(o, "messages", STR("each"));
}

struct check
messages_check(const struct check *inner)
{
	static const struct check_kind kind = {
		.name = "messages",
		.find = find,
		.show = show,
		.inner = check_wanted,
		.case_differs = case_differs,
	};

	return (
	    struct check){ .kind = &kind, .want = inner, .needs = VIEW_TEXT };
}
