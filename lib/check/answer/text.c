#include "check/answer/answer_kinds.h"

#include "emulate/lang/go.h"

struct text_want {
	enum text_how how;
	enum view_fold fold;
	bool trimmed; /* white space at the text's ends does not count */
	struct str written, folded;
};

static struct str
text_of(const struct text_want *w, struct view *v, enum view_fold fold)
{
	struct str text = view_text(v, fold);

	return w->trimmed ? go_trim(text) : text;
}

static bool
holds(const struct text_want *w, struct view *v, enum view_fold fold,
    struct str wanted)
{
	switch (w->how) {
	case TEXT_CONTAINS:
		return view_contains(v, fold, wanted);
	case TEXT_STARTS:
		return str_starts(text_of(w, v, fold), wanted);
	case TEXT_ENDS:
		return str_ends(text_of(w, v, fold), wanted);
	default:
		return str_eq(text_of(w, v, fold), wanted);
	}
}

/* Returns whether more text after the cut could change the finding. */
static bool
is_open(const struct text_want *w, struct view *v, bool found)
{
	struct str text;

	switch (w->how) {
	case TEXT_CONTAINS:
		return !found;
	case TEXT_ENDS:
		return true;
	default: /* the missing text may be the rest of the wanted text */
		text = text_of(w, v, w->fold);
		return text.n < w->folded.n && str_starts(w->folded, text);
	}
}

static struct finding
text_find(const void *want, struct view *v)
{
	const struct text_want *w = want;
	bool cut = v->cut & VIEW_TEXT;
	bool found = holds(w, v, w->fold, w->folded);

	if (cut && w->how == TEXT_EQUALS)
		found = false;
	return (struct finding){
		.found = found ? FOUND_YES : FOUND_NO,
		.open = cut && is_open(w, v, found),
	};
}

static bool
case_differs(const void *want, struct view *v)
{
	const struct text_want *w = want;

	return w->fold == VIEW_AS_WRITTEN &&
	    holds(w, v, VIEW_LOWER_GO,
		view_fold(v->arena, w->written, VIEW_LOWER_GO));
}

static const struct check_kind check_of_kind = { .name = "text",
	.find = text_find,
	.case_differs = case_differs,
	WANTS(WANT("contains starts ends equals", WANT_KEY, text_want, how),
	    WANT(NULL, WANT_STR, text_want, written),
	    WANT("lower - js -", WANT_WORD, text_want, fold)) };

static struct check
check_of(struct arena *a, struct text_want w)
{
	w.folded = view_fold(a, w.written, w.fold);
	return check_new(a, &check_of_kind, &w, sizeof w, VIEW_TEXT);
}

struct check
text_check(
    struct arena *a, enum text_how how, enum view_fold fold, struct str text)
{
	return check_of(
	    a, (struct text_want){ .how = how, .fold = fold, .written = text });
}

struct check
text_check_trimmed(
    struct arena *a, enum text_how how, enum view_fold fold, struct str text)
{
	return check_of(a,
	    (struct text_want){
		.how = how, .fold = fold, .written = text, .trimmed = true });
}
