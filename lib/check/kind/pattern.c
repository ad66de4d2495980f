#include "check/kind/pattern.h"

struct pattern_want {
	struct regex *regex;
	struct regex *caseless; /* the same, where case does not count */
	struct str pattern;
	unsigned flags;
	bool telling;
};

/* What matched. To find it may take too many steps where to find that something
 * does takes few. */
static enum regex_found
search(const struct pattern_want *w, struct view *v, struct str *what)
{
	struct regex_match match;
	enum regex_found found;

	if (!w->telling)
		return view_search(v, w->regex, NULL);
	found = view_search(v, w->regex, &match);
	if (found == REGEX_YES)
		*what = match.groups[0];
	if (found != REGEX_LIMIT)
		return found;
	*what = STR("a match; to tell which takes too many steps");
	return view_search(v, w->regex, NULL);
}

/* Of a text cut short nothing is sure: the pattern may ask for its end, or
 * for what does not follow. */
static struct failure
find(const void *want, struct view *v)
{
	const struct pattern_want *w = want;
	struct failure f = { .open = v->cut & VIEW_TEXT };
	struct str what = { 0 };

	switch (search(w, v, &what)) {
	case REGEX_NO:
		f.found = FOUND_NO;
		break;
	case REGEX_YES:
		f.found = FOUND_YES;
		f.why = what;
		break;
	case REGEX_LIMIT:
		f.found = FOUND_ERROR;
		f.why = str_cat(v->arena,
		    STR("no verdict within the step limit: "), w->pattern);
		break;
	}
	return f;
}

static bool
case_differs(const void *want, struct view *v)
{
	const struct pattern_want *w = want;

	return w->caseless != NULL &&
	    view_search(v, w->caseless, NULL) == REGEX_YES;
}

static void
show(const void *want, struct out *o)
{
	const struct pattern_want *w = want;

	out_key(o, "pattern");
	out_json_str(o, w->pattern);
	if (w->flags & REGEX_CASELESS)
		out_member_bool(o, "caseless", true);
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct pattern_want *w = want;

	each(w->regex, arg);
	each(w->caseless, arg);
}

struct check
pattern_check(
    struct arena *a, struct regex *regex, struct str pattern, unsigned flags)
{
	static const struct check_kind kind = {
		.name = "regex",
		.find = find,
		.show = show,
		.patterns = patterns,
		.case_differs = case_differs,
	};
	struct pattern_want *w = arena_new(a, struct pattern_want);

	w->regex = regex;
	w->pattern = pattern;
	w->flags = flags;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_TEXT };
}

static struct pattern_want *
copy(struct arena *a, const struct check *c)
{
	struct pattern_want *w = arena_new(a, struct pattern_want);

	*w = *(const struct pattern_want *)c->want;
	return w;
}

struct check
pattern_check_telling(
    struct arena *a, struct regex *regex, struct str pattern, unsigned flags)
{
	struct check c = pattern_check(a, regex, pattern, flags);
	struct pattern_want *w = copy(a, &c);

	w->telling = true;
	c.want = w;
	return c;
}

struct check
pattern_hinting(struct arena *a, struct check c, struct regex *caseless)
{
	struct pattern_want *w = copy(a, &c);

	w->caseless = caseless;
	c.want = w;
	return c;
}
