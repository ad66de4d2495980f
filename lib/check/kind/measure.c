#include "check/kind/kind.h"

static struct finding
measure_find(const void *want, struct view *v)
{
	const struct measure_want *w = want;

	if (w->passes_empty && str_trim(view_text(v, VIEW_AS_WRITTEN)).n == 0)
		return (
		    struct finding){ .found = w->negate ? FOUND_NO : FOUND_YES,
			.why = STR("no output to moderate") };
	return (struct finding){
		.found = FOUND_SKIP, .why = w->why, .offered = true
	};
}

static void
measure_show(const void *want, struct out *o)
{
	const struct measure_want *w = want;

	out_member_str(o, "method", str_of(w->method));
	out_member_str(o, "metric", str_of(w->metric));
	if (w->metric != NULL) {
		out_member_strs(o, "expected", w->texts);
		out_member_double(o, "threshold", w->threshold);
	} else if (w->texts.n != 0) {
		out_member_strs(o, "categories", w->texts);
	}
	if (w->negate)
		out_member_bool(o, "negate", true);
}

static void
ask(const void *want, bool folder, struct out *o)
{
	(void)folder;
	measure_show(want, o);
}

struct check
measure_check(struct arena *a, const struct measure_want *want)
{
	static const struct check_kind kind = { .name = "measure",
		.find = measure_find,
		.show = measure_show,
		.ask = ask };

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
