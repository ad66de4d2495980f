#include "report/tally/why.h"

#include "base/stats.h"
#include "report/tally/key.h"

/* Returns the name of the run's group; absent if the run is in none. Runs that
 * ended in an error may have been broken off before they did anything. */
static struct str
group_of(const struct why *w, const struct result *r, bool baseline,
    struct arena *moment)
{
	if (str_is(w->by, WHY_BASELINE))
		return baseline ? STR("baseline") : STR("now");
	if (baseline)
		return str_of(NULL);
	if (!str_is(w->by, WHY_STATUS))
		return tally_name_text(w->by, r, NULL, moment);
	return r->status == STATUS_FAILED || r->status == STATUS_PASSED
	    ? str_of(status_name(r->status))
	    : str_of(NULL);
}

void
why_add(
    struct why *w, const struct result *r, bool baseline, struct arena *moment)
{
	struct str group;

	if (w->by.s == NULL)
		return;
	group = group_of(w, r, baseline, moment);
	if (group.s != NULL)
		contrasts_add(&w->runs, r->trace, group, moment);
}

/* Returns whether the group is shown: of failed and passed runs, and of the baseline
 * and now, one is, since the other breaks the opposite rules. */
static bool
is_shown(const struct why *w, struct str group)
{
	if (str_is(w->by, WHY_STATUS))
		return str_is(group, status_name(STATUS_FAILED));
	return !str_is(w->by, WHY_BASELINE) || str_is(group, "now");
}

void
why_finish(struct why *w, struct arena *a)
{
	for (size_t i = 0; i < w->runs.n_groups && w->runs.n_groups > 1; i++)
		if (is_shown(w, w->runs.groups[i]))
			*arena_push(a, w->list, w->n) =
			    contrasts_of(&w->runs, i, a);
}

/* Writes a half: how many of how many runs of each side break the rule. */
static void
put_half(struct out *o, const struct contrast_line *line, size_t half)
{
	static const char *const names[] = { "found", "confirmed" };
	static const char *const sides[] = { "group", "others" };

	out_member_begin(o, names[half], '{');
	for (size_t side = 0; side < 2; side++) {
		out_member_begin(o, sides[side], '{');
		out_member_size(o, "broken", line->broken[half][side]);
		out_member_size(o, "of", line->of[half][side]);
		out_end(o, '}');
	}
	out_member_double(o, "p", stats_round(line->p[half]));
	out_end(o, '}');
}

static void
put_contrast(struct out *o, const struct contrast *c)
{
	out_begin(o, '{');
	out_member_str(o, "group", c->group);
	out_member_size(o, "tested", c->tested);
	out_member_size(o, "unconfirmed", c->unconfirmed);
	out_member_begin(o, "rules", '[');
	for (size_t i = 0; i < c->n; i++) {
		out_begin(o, '{');
		out_member_str(o, "rule", c->lines[i].rule);
		put_half(o, &c->lines[i], CONTRAST_FIND);
		put_half(o, &c->lines[i], CONTRAST_CONFIRM);
		out_end(o, '}');
	}
	out_end(o, ']');
	out_end(o, '}');
}

void
why_write(struct out *o, const struct why *w)
{
	out_begin(o, '{');
	out_member_str(o, "by", w->by);
	out_member_size(o, "unknown", w->runs.unknown);
	out_member_begin(o, "contrasts", '[');
	for (size_t i = 0; i < w->n; i++)
		put_contrast(o, &w->list[i]);
	out_end(o, ']');
	out_end(o, '}');
}
