#include "check/kind/kind.h"

struct media_want {
	const char *medium;
	const struct json *params;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct media_want *w = want;

	return (struct finding){ .found = FOUND_SKIP,
		.why = str_printf(v->arena, "not recorded: %s", w->medium) };
}

static void
show(const void *want, struct out *o)
{
	const struct media_want *w = want;

	out_member_str(o, "medium", str_of(w->medium));
	out_key(o, "params");
	out_json_raw(o, w->params->text);
}

struct check
media_check(struct arena *a, const char *medium, const struct json *params)
{
	static const struct check_kind kind = {
		.name = "media", .find = find, .show = show
	};
	const struct media_want w = { .medium = medium, .params = params };

	return check_new(a, &kind, &w, sizeof w, 0);
}
