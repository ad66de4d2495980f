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
show_params(const struct json *params, struct out *o)
{
	if (params == NULL)
		return;
	out_key(o, "params");
	out_json_raw(o, params->text);
}

static void
show(const void *want, struct out *o)
{
	const struct media_want *w = want;

	out_member_str(o, "medium", str_of(w->medium));
	show_params(w->params, o);
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

struct live_want {
	struct str why;
	const struct json *params;
};

static struct finding
find_live(const void *want, struct view *v)
{
	const struct live_want *w = want;

	(void)v;
	return (struct finding){ .found = FOUND_SKIP, .why = w->why };
}

static void
show_live(const void *want, struct out *o)
{
	const struct live_want *w = want;

	out_member_str(o, "why", w->why);
	show_params(w->params, o);
}

struct check
media_check_live(struct arena *a, struct str why, const struct json *params)
{
	static const struct check_kind kind = {
		.name = "live", .find = find_live, .show = show_live
	};
	const struct live_want w = { .why = why, .params = params };

	return check_new(a, &kind, &w, sizeof w, 0);
}
