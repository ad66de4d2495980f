/* Which rules follow from others. */
#include "habit/lesson.h"

static bool
has(const struct lessons *l, enum habit_form form, struct str tool,
    struct str other)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->list[i].has && l->list[i].habit.form == form &&
		    str_eq(l->list[i].habit.tool, tool) &&
		    str_eq(l->list[i].habit.other, other))
			return true;
	return false;
}

/* Returns whether some tool is between the two in rules of the form: "no a before b"
 * and "no b before c" say "no a before c". */
static bool
has_chain(const struct lessons *l, const struct habit *h)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct habit *first = &l->list[i].habit;

		if (first->form == h->form && str_eq(first->tool, h->tool) &&
		    !str_eq(first->other, h->other) &&
		    has(l, h->form, first->other, h->other))
			return true;
	}
	return false;
}

/* Returns whether the rules say that the tool was called, as the first, the last, or
 * before or after a tool that was. */
static bool
says_called(const struct lessons *l, struct str tool)
{
	if (has(l, HABIT_FIRST, tool, str_of(NULL)) ||
	    has(l, HABIT_LAST, tool, str_of(NULL)))
		return true;
	for (size_t i = 0; i < l->n; i++) {
		const struct habit *h = &l->list[i].habit;

		if (!l->list[i].has)
			continue;
		if (h->form == HABIT_THEN &&
		    (str_eq(h->tool, tool) || str_eq(h->other, tool)))
			return true;
		if ((h->form == HABIT_BEFORE || h->form == HABIT_AFTER) &&
		    str_eq(h->other, tool) &&
		    has(l, HABIT_CALLED, h->tool, str_of(NULL)))
			return true;
	}
	return false;
}

/* Returns whether the rules, among which is none of the habit's, say it. */
static bool
follows(const struct lessons *l, const struct habit *h)
{
	struct str none = str_of(NULL);

	switch (h->form) {
	case HABIT_CALLED:
		return says_called(l, h->tool);
	case HABIT_BEFORE:
		return has(l, HABIT_FIRST, h->other, none) || has_chain(l, h);
	case HABIT_AFTER:
		return has(l, HABIT_LAST, h->other, none) || has_chain(l, h);
	case HABIT_THEN:
		return (has(l, HABIT_CALLED, h->other, none) &&
			   has(l, HABIT_BEFORE, h->other, h->tool)) ||
		    (has(l, HABIT_CALLED, h->tool, none) &&
			has(l, HABIT_AFTER, h->tool, h->other));
	default:
		return false;
	}
}

/* The forms in the order in which rules are removed: what says least comes first. A
 * rule that is removed follows from rules that are left. */
void
lessons_reduce(struct lessons *l)
{
	static const enum habit_form order[] = { HABIT_THEN, HABIT_AFTER,
		HABIT_BEFORE, HABIT_CALLED };

	for (size_t form = 0; form < sizeof order / sizeof order[0]; form++) {
		for (size_t i = l->n; i-- > 0;) {
			struct lesson lesson = l->list[i];

			if (lesson.habit.form != order[form] || !lesson.has)
				continue;
			memmove(&l->list[i], &l->list[i + 1],
			    (l->n - i - 1) * sizeof lesson);
			l->n--;
			if (follows(l, &lesson.habit))
				continue;
			memmove(&l->list[i + 1], &l->list[i],
			    (l->n - i) * sizeof lesson);
			l->list[i] = lesson;
			l->n++;
		}
	}
}
