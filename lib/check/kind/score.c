#include "check/kind/kind.h"

/* The least and the most that a score can be. */
struct range {
	double low, high;
	size_t open; /* number of checks that are not decided */
};

static struct range range_of(const struct score_want *, struct view *);

/* Returns the score of a part, which is all of [0, 1] if the part is not
 * decided. */
static struct range
part_range(const struct score_part *p, bool whole, struct view *v)
{
	struct range r = { .high = 1, .open = 1 };
	struct check_result result;
	double score;

	if (p->set != NULL)
		return range_of(p->set, v);
	if (p->check == NULL)
		return r;
	result = check_score(p->check, v, &score);
	if (result.status != STATUS_PASSED && result.status != STATUS_FAILED)
		return r;
	if (whole)
		score = result.status == STATUS_PASSED;
	return (struct range){ .low = score, .high = score };
}

static struct range
range_of(const struct score_want *w, struct view *v)
{
	struct range sum = { 0 };
	double weights = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct score_part *p = &w->parts[i];
		struct range r = part_range(p, w->whole, v);
		bool counts = p->weight > 0;

		sum.low += (counts ? r.low : r.high) * p->weight;
		sum.high += (counts ? r.high : r.low) * p->weight;
		sum.open += p->weight == 0 ? 0 : r.open;
		weights += p->weight;
	}
	if (!(weights > 0))
		return (struct range){ .open = sum.open };
	sum.low /= weights;
	sum.high /= weights;
	return sum;
}

static struct finding
score_find(const void *want, struct view *v)
{
	const struct score_want *w = want;
	struct range r = range_of(w, v);
	struct finding f = { .graded = r.open == 0, .share = r.low };

	if (r.low >= w->least)
		f.found = FOUND_YES;
	else if (r.high < w->least)
		f.found = FOUND_NO;
	else
		return finding_skip(str_printf(v->arena,
		    "the score is from %.4g to %.4g: %zu of its "
		    "assertions %s not decided here",
		    r.low, r.high, r.open, r.open == 1 ? "is" : "are"));
	f.why = r.open == 0 ? str_printf(v->arena, "%.4g", r.low)
			    : str_printf(v->arena, "at %s %.4g",
				  f.found == FOUND_YES ? "least" : "most",
				  f.found == FOUND_YES ? r.low : r.high);
	return f;
}

static void
show_parts(const struct score_want *w, struct out *o)
{
	out_member_begin(o, "parts", '[');
	for (size_t i = 0; i < w->n; i++) {
		const struct score_part *p = &w->parts[i];

		out_begin(o, '{');
		out_member_str(o, "label",
		    p->check != NULL ? p->check->label : (struct str){ 0 });
		out_member_double(o, "weight", p->weight);
		if (p->set != NULL)
			show_parts(p->set, o);
		out_end(o, '}');
	}
	out_end(o, ']');
}

static void
score_show(const void *want, struct out *o)
{
	const struct score_want *w = want;

	out_member_double(o, "least", w->least);
	if (w->whole)
		out_member_bool(o, "whole", true);
	show_parts(w, o);
}

struct check
score_check(struct arena *a, const struct score_want *want)
{
	static const struct check_kind kind = {
		.name = "score",
		.find = score_find,
		.show = score_show,
	};

	return check_new(a, &kind, want, sizeof *want, 0);
}
