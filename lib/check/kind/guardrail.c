#include "check/kind/kind.h"

/* Returns the name of the Go type: BannedWordsValidator for banned_words. */
static struct str
type_of(struct arena *a, struct str name)
{
	char *copy = arena_alloc(a, name.n + 1);
	bool first = true;
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (c != '_')
			copy[n++] =
			    (char)(first && c >= 'a' && c <= 'z' ? c - 32 : c);
		first = c == '_';
	}
	return str_cat(a, (struct str){ copy, n }, STR("Validator"));
}

static bool
is_meant(
    const struct guardrail_want *w, const struct json *record, struct arena *a)
{
	struct str name = json_text(json_get(record, "name"), a);
	struct str direction =
	    json_text(json_path(record, "details.direction"), a);

	if (direction.s != NULL &&
	    (str_is(w->direction, "input") || str_is(w->direction, "output")) &&
	    !str_eq(direction, w->direction))
		return false;
	if (w->last || str_eq(name, w->name))
		return str_eq(name, w->name);
	if (str_starts(name, "*validators."))
		name = str_from(name, sizeof "*validators." - 1);
	return str_eq(name, w->older);
}

static struct finding
guardrail_find(const void *want, struct view *v)
{
	const struct guardrail_want *w = want;
	struct finding f = { .found = FOUND_NO };

	for (json_each(record, json_get(v->turn, "guardrails"))) {
		bool fired = !json_is(json_get(record, "passed"), JSON_TRUE);

		if (w->name.s == NULL ? !fired : !is_meant(w, record, v->arena))
			continue;
		f.found = fired ? FOUND_YES : FOUND_NO;
		if (!w->last)
			break;
	}
	return f;
}

static void
guardrail_show(const void *want, struct out *o)
{
	const struct guardrail_want *w = want;

	out_key(o, "guardrail");
	if (w->name.s == NULL)
		out_json_null(o);
	else
		out_json_str(o, w->name);
	out_member_str(o, "direction", w->direction);
}

struct check
guardrail_check(struct arena *a, const struct guardrail_want *want)
{
	static const struct check_kind kind = { .name = "guardrail",
		.find = guardrail_find,
		.show = guardrail_show };
	struct guardrail_want w = *want;

	w.older = type_of(a, w.name);
	return check_new(a, &kind, &w, sizeof w, VIEW_GUARDRAILS);
}
