#include "base/hash.h"
#include "check/answer/answer_kinds.h"
#include "emulate/lang/go.h"

struct phrases_want {
	enum phrases_how how;
	enum view_fold fold;
	struct str_list written;
	struct str *folded;
	struct regex **words; /* NULL: literal texts */
};

static bool
has(const struct phrases_want *w, size_t i, struct view *v)
{
	if (w->words != NULL)
		return view_search(v, w->words[i], NULL) == REGEX_YES;
	return view_contains(v, w->fold, w->folded[i]);
}

static struct finding
phrases_find(const void *want, struct view *v)
{
	const struct phrases_want *w = want;
	bool any = w->how == PHRASES_ANY;
	struct finding f = { .found = FOUND_NO, .seen = w->written.n };
	struct str *decisive = arena_new_n(v->arena, struct str, w->written.n);
	size_t n = 0;

	for (size_t i = 0; i < w->written.n; i++) {
		bool there = has(w, i, v);

		f.matched += there;
		if (there == any)
			decisive[n++] = w->written.list[i];
	}
	if ((n != 0) == any)
		f.found = FOUND_YES;
	f.open = f.found == FOUND_NO && v->cut & VIEW_TEXT;
	f.graded = !any && f.seen != 0;
	f.share = f.graded ? (double)f.matched / (double)f.seen : 0;
	f.decisive = (struct str_list){ decisive, n };
	return f;
}

/* Returns whether the finding would be YES without regard to case. */
static bool
case_differs(const void *want, struct view *v)
{
	const struct phrases_want *w = want;
	enum view_fold fold = VIEW_LOWER_GO;
	size_t n = 0;

	if (w->fold != VIEW_AS_WRITTEN || w->words != NULL)
		return false;
	for (size_t i = 0; i < w->written.n; i++)
		n += view_contains(
		    v, fold, view_fold(v->arena, w->written.list[i], fold));
	return w->how == PHRASES_ANY ? n != 0 : n == w->written.n;
}

static void
phrases_show(const void *want, struct out *o)
{
	const struct phrases_want *w = want;

	out_member_strs(o, w->how == PHRASES_ANY ? "any" : "all", w->written);
	if (w->words != NULL) {
		out_member_bool(o, "words", true);
	} else if (w->fold != VIEW_AS_WRITTEN) {
		out_member_str(o, "lower", STR("go"));
	}
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct phrases_want *w = want;

	for (size_t i = 0; w->words != NULL && i < w->written.n; i++)
		each(w->words[i], arg);
}

static const struct check_kind phrases_kind = {
	.name = "phrases",
	.find = phrases_find,
	.show = phrases_show,
	.patterns = patterns,
	.case_differs = case_differs,
};

struct check
phrases_check(struct arena *a, enum phrases_how how, enum view_fold fold,
    struct str_list texts)
{
	const struct phrases_want w = { .how = how,
		.fold = fold,
		.written = texts,
		.folded = arena_new_n(a, struct str, texts.n) };

	for (size_t i = 0; i < texts.n; i++)
		w.folded[i] = view_fold(a, texts.list[i], fold);
	return check_new(a, &phrases_kind, &w, sizeof w, VIEW_TEXT);
}

struct check
phrases_check_words(struct arena *a, enum phrases_how how,
    struct str_list words, struct regex **compiled)
{
	const struct phrases_want w = {
		.how = how, .written = words, .words = compiled
	};

	return check_new(a, &phrases_kind, &w, sizeof w, VIEW_TEXT);
}

/* ---- words in common ---- */

/* Adds the words of a text in lower case. Returns how many of them `other` has
 * as well. */
static size_t
add_words(
    struct hash_table *words, struct str text, const struct hash_table *other)
{
	struct str rest = view_fold(words->arena, text, VIEW_LOWER_GO);
	size_t n = 0;

	for (rest = go_trim(rest); rest.n != 0; rest = go_trim(rest)) {
		struct str word = go_word(rest);
		void **slot = hash_put(words, word);

		if (*slot == NULL && other != NULL)
			n += hash_get(other, word) != NULL;
		*slot = words;
		rest = str_from(rest, word.n);
	}
	return n;
}

static struct finding
find_overlap(const void *want, struct view *v)
{
	const struct str *text = want;
	struct hash_table ours = { .arena = v->arena },
			  theirs = { .arena = v->arena };
	size_t both, all;
	struct finding f = { .found = FOUND_NO,
		.open = v->cut & VIEW_TEXT,
		.graded = true,
		.share = 1 };

	add_words(&ours, *text, NULL);
	both = add_words(&theirs, view_text(v, VIEW_AS_WRITTEN), &ours);
	all = ours.n + theirs.n - both;
	if (all != 0)
		f.share = (double)both / (double)all;
	if (both == all)
		f.found = FOUND_YES;
	return f;
}

static const struct check_kind phrases_overlap_kind = {
	.name = "overlap", .find = find_overlap, WANTS({ "text", WANT_STR, 0 })
};

struct check
phrases_overlap(struct arena *a, struct str text)
{
	return check_new(
	    a, &phrases_overlap_kind, &text, sizeof text, VIEW_TEXT);
}
