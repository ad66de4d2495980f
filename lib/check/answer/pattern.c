#include "check/answer/answer_kinds.h"

struct pattern_want {
	struct regex *regex;
	/* The pattern without regard to case, or NULL. */
	struct regex *caseless;
	struct str pattern;
	unsigned flags;
	bool shows_match;
};

/* Searches, and sets *what to the match if the check shows it. Finding where a
 * match begins and ends may take too many steps even if finding out that there
 * is a match takes few. */
static enum regex_found
search(const struct pattern_want *w, struct view *v, struct str *what)
{
	struct regex_match match;
	enum regex_found found;

	if (!w->shows_match)
		return view_search(v, w->regex, NULL);
	found = view_search(v, w->regex, &match);
	if (found == REGEX_YES)
		*what = view_excerpt(
		    v, match.groups[0], view_text(v, VIEW_AS_WRITTEN));
	if (found != REGEX_LIMIT)
		return found;
	*what = STR("a match; finding its text takes too many steps");
	return view_search(v, w->regex, NULL);
}

/* Any finding in a text that was cut short is open: the pattern may depend on
 * the end of the text, or on what does not follow. */
static struct finding
pattern_find(const void *want, struct view *v)
{
	const struct pattern_want *w = want;
	struct finding f = { .open = v->cut & VIEW_TEXT };
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
pattern_show(const void *want, struct out *o)
{
	const struct pattern_want *w = want;

	if (w->flags & REGEX_CASELESS)
		out_member_bool(o, "caseless", true);
}

static const struct check_kind make_kind = { .name = "regex",
	.find = pattern_find,
	.show = pattern_show,
	.case_differs = case_differs,
	WANTS(WANT("pattern", WANT_STR, pattern_want, pattern),
	    WANT(NULL, WANT_REGEX, pattern_want, regex),
	    WANT(NULL, WANT_REGEX, pattern_want, caseless)) };

static struct check
make(struct arena *a, const struct pattern_want *want)
{
	return check_new(a, &make_kind, want, sizeof *want, VIEW_TEXT);
}

struct check
pattern_check(
    struct arena *a, struct regex *regex, struct str pattern, unsigned flags)
{
	return make(a,
	    &(struct pattern_want){
		.regex = regex, .pattern = pattern, .flags = flags });
}

struct check
pattern_check_with_match(
    struct arena *a, struct regex *regex, struct str pattern, unsigned flags)
{
	return make(a,
	    &(struct pattern_want){ .regex = regex,
		.pattern = pattern,
		.flags = flags,
		.shows_match = true });
}

struct check
pattern_with_case_hint(struct arena *a, struct check c, struct regex *caseless)
{
	struct pattern_want w = *(const struct pattern_want *)c.want;

	w.caseless = caseless;
	return make(a, &w);
}
