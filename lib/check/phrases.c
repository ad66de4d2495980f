#include "phrases.h"

struct phrases_want {
	enum phrases_how how;
	enum view_fold fold;
	struct str_list written;
	struct str *folded;
};

static struct finding
find(const void *want, struct view *v)
{
	const struct phrases_want *w = want;
	struct str text = view_text(v, w->fold);
	bool any = w->how == PHRASES_ANY;
	struct finding f = { .found = FOUND_NO, .seen = w->written.n };
	size_t decisive = 0;
	struct out list;

	out_open_memory(&list);
	out_begin(&list, '[');
	for (size_t i = 0; i < w->written.n; i++) {
		bool there = str_contains(text, w->folded[i]);

		f.matched += there;
		if (there != any)
			continue;
		out_json_str(&list, w->written.list[i]);
		decisive++;
	}
	out_end(&list, ']');
	if ((decisive != 0) == any)
		f.found = FOUND_YES;
	f.open = f.found == FOUND_NO && v->cut & VIEW_TEXT;
	f.why = str_dup(v->arena, out_memory(&list));
	out_close(&list);
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct phrases_want *w = want;

	out_key(o, w->how == PHRASES_ANY ? "any" : "all");
	out_json_strs(o, w->written);
	if (w->fold != VIEW_AS_WRITTEN) {
		out_key(o, "lower");
		out_json_str(o, STR("go"));
	}
}

struct check
phrases_check(struct arena *a, enum phrases_how how, enum view_fold fold,
    struct str_list texts)
{
	static const struct check_kind kind = {
		.name = "phrases", .find = find, .show = show
	};
	struct phrases_want *w = arena_new(a, struct phrases_want);

	w->how = how;
	w->fold = fold;
	w->written = texts;
	w->folded = arena_new_n(a, struct str, texts.n);
	for (size_t i = 0; i < texts.n; i++)
		w->folded[i] = view_fold(a, texts.list[i], fold);
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_TEXT };
}
