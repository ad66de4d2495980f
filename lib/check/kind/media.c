#include "check/kind/media.h"

struct media_want {
	const char *medium;
	const struct json *params;
};

static struct failure
find(const void *want, struct view *v)
{
	const struct media_want *w = want;

	return (struct failure){ .found = FOUND_SKIP,
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
	struct media_want *w = arena_new(a, struct media_want);

	w->medium = medium;
	w->params = params;
	return (struct check){ .kind = &kind, .want = w };
}
