#include "check/kind/kind.h"

struct media_want {
	const char *medium; /* NULL: kind live */
	struct str why;
	const struct json *params;
};

static struct finding
media_find(const void *want, struct view *v)
{
	const struct media_want *w = want;

	(void)v;
	return finding_skip(w->why);
}

static const struct check_kind media_kind = { .name = "media",
	.find = media_find,
	WANTS(WANT("medium", WANT_CHARS, media_want, medium),
	    WANT("params", WANT_JSON, media_want, params)) };

struct check
media_check(struct arena *a, const char *medium, const struct json *params)
{
	const struct media_want w = { medium,
		str_printf(a, "not recorded: %s", medium), params };

	return check_new(a, &media_kind, &w, sizeof w, 0);
}

static const struct check_kind live_kind = { .name = "live",
	.find = media_find,
	WANTS(WANT("why", WANT_STR, media_want, why),
	    WANT("params", WANT_JSON, media_want, params)) };

struct check(media_check_live)(
    struct arena *a, struct str why, const struct json *params)
{
	const struct media_want w = { NULL, why, params };

	return check_new(a, &live_kind, &w, sizeof w, 0);
}
