#include "plain.h"

#include "../ansi.h"

static struct view *
without_escapes(struct view *v)
{
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct str plain = ansi_strip(v->arena, text);
	struct view *other = v;

	if (plain.s != text.s) {
		other = view_of_text(v, plain);
		other->cut = v->cut & VIEW_TEXT;
	}
	return other;
}

static struct finding
find(const void *want, struct view *v)
{
	const struct check *inner = want;

	return inner->kind->find(inner->want, without_escapes(v));
}

static bool
case_differs(const void *want, struct view *v)
{
	return check_case_differs(want, without_escapes(v));
}

static void
show(const void *want, struct out *o)
{
	const struct check *inner = want;

	inner->kind->show(inner->want, o);
}

static const struct check *
inner_of(const void *want)
{
	return want;
}

struct check
plain_check(const struct check *inner)
{
	static const struct check_kind kind = {
		.name = "plain",
		.find = find,
		.show = show,
		.inner = inner_of,
		.case_differs = case_differs,
	};

	return (
	    struct check){ .kind = &kind, .want = inner, .needs = VIEW_TEXT };
}
