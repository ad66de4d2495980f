#include "check/kind/kind.h"

struct media_want {
	const char *medium;
	const struct json *params;
};

static struct finding
media_find(const void *want, struct view *v)
{
	const struct media_want *w = want;

	return (struct finding){ .found = FOUND_SKIP,
		.why = str_printf(v->arena, "not recorded: %s", w->medium) };
}

static const struct check_kind media_check_kind = { .name = "media",
	.find = media_find,
	WANTS(WANT("medium", WANT_CHARS, media_want, medium),
	    WANT("params", WANT_JSON, media_want, params)) };

struct check
media_check(struct arena *a, const char *medium, const struct json *params)
{
	const struct media_want w = { .medium = medium, .params = params };

	return check_new(a, &media_check_kind, &w, sizeof w, 0);
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

static const struct check_kind media_check_live_kind = { .name = "live",
	.find = find_live,
	WANTS(WANT("why", WANT_STR, live_want, why),
	    WANT("params", WANT_JSON, live_want, params)) };

struct check
media_check_live(struct arena *a, struct str why, const struct json *params)
{
	const struct live_want w = { .why = why, .params = params };

	return check_new(a, &media_check_live_kind, &w, sizeof w, 0);
}
