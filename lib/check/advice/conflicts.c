/* Assertions that no run can pass together. */
#include "check/advice/set.h"

#include "text/unicode.h"

/* Adds a note at y; but at the addition, if one is, and at the later of two. */
static void
conflict(struct advice_set *set, const struct advice_item *x,
    const struct advice_item *y, struct str what)
{
	bool at_x = x->added && (!y->added || x > y);
	const struct advice_item *at = at_x ? x : y, *other = at_x ? y : x;

	advice_add(set->notes, CONTRADICTION, at->check->source.place,
	    "%.*s: %.*s (the other is %.*s in line %zu)",
	    STR_FMT(advice_type_name(set, at)), STR_FMT(what),
	    STR_FMT(advice_type_name(set, other)),
	    other->check->source.place.line);
}

static bool
has_text(const struct advice_item *item, struct str text)
{
	for (size_t i = 0; i < item->texts.n; i++)
		if (str_eq(item->texts.list[i], text))
			return true;
	return false;
}

/* Returns the number of calls that the item requires. */
static size_t
calls_of(const struct advice_item *item)
{
	switch (item->type->role) {
	case ROLE_ORDER:
	case ROLE_CALLED:
		return item->texts.n;
	case ROLE_ARGUMENTS:
	case ROLE_OUTPUT:
		return 1;
	default:
		return 0;
	}
}

/* A limit of one iteration leaves no room for a call and an answer; calls in an
 * order take an iteration each. */
static void
try_limit(struct advice_set *set, const struct advice_item *limit,
    const struct advice_item *item)
{
	double most = json_double(limit->value);
	size_t calls = calls_of(item);

	if (limit->type->role != ROLE_ITERATIONS || calls == 0)
		return;
	if (most < 2 ||
	    (item->type->role == ROLE_ORDER && most < (double)calls))
		conflict(set, item, limit,
		    str_printf(set->arena,
			"at most %.15g iterations beside %zu call%s", most,
			calls, calls == 1 ? "" : "s, one after another"));
}

static void
try_tools(struct advice_set *set, const struct advice_item *wanted,
    const struct advice_item *item)
{
	if (item->type->role != ROLE_NOT_CALLED ||
	    (wanted->type->role != ROLE_CALLED &&
		wanted->type->role != ROLE_ORDER &&
		wanted->type->role != ROLE_ARGUMENTS))
		return;
	for (size_t i = 0; i < item->texts.n; i++)
		if (has_text(wanted, item->texts.list[i]))
			conflict(set, wanted, item,
			    str_printf(set->arena,
				"%.*s is forbidden and required",
				STR_FMT(item->texts.list[i])));
}

/* Returns whether a text that must be there contains one that must not. */
static void
try_texts(struct advice_set *set, const struct advice_item *wanted,
    const struct advice_item *item)
{
	struct arena *a = set->arena;

	if (item->type->role != ROLE_LACKS || wanted->type->role != ROLE_HAS ||
	    str_ends(wanted->check->type, "_any"))
		return;
	for (size_t i = 0; i < item->texts.n; i++)
		for (size_t k = 0; k < wanted->texts.n; k++)
			if (item->texts.list[i].n != 0 &&
			    str_contains(
				unicode_lower_js(a, wanted->texts.list[k]),
				unicode_lower_js(a, item->texts.list[i])))
				conflict(set, wanted, item,
				    str_printf(a,
					"'%.*s' is forbidden and required",
					STR_FMT(item->texts.list[i])));
}

/* Different exact numbers of calls, or a number below a required one. */
static void
try_counts(struct advice_set *set, const struct advice_item *count,
    const struct advice_item *item)
{
	double n = json_double(advice_key(count, "expected_count")), least = 1;
	const struct json *times = advice_key(item, "min_times");

	if (count->type->role != ROLE_COUNT || count->texts.n == 0)
		return;
	if (json_is(times, JSON_NUMBER))
		least = json_double(times);
	if ((item->type->role == ROLE_CALLED ||
		item->type->role == ROLE_ARGUMENTS) &&
	    has_text(item, count->texts.list[0]) && n < least)
		conflict(set, item, count,
		    str_printf(set->arena,
			"exactly %.15g calls beside %.15g "
			"or more of %.*s",
			n, least, STR_FMT(count->texts.list[0])));
}

static void
try_equals(struct advice_set *set, const struct advice_item *x,
    const struct advice_item *y)
{
	if (x->type->role == ROLE_EQUALS && y->type->role == ROLE_EQUALS &&
	    x < y && x->texts.n != 0 && y->texts.n != 0 &&
	    !str_eq(unicode_lower_js(set->arena, x->texts.list[0]),
		unicode_lower_js(set->arena, y->texts.list[0])))
		conflict(set, x, y, STR("the answer must be two texts"));
}

enum { CONFLICTS_MAX = 1000 }; /* assertions that are compared in pairs */

void
advise_conflicts(struct advice_set *set)
{
	size_t n = set->n < CONFLICTS_MAX ? set->n : CONFLICTS_MAX;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			const struct advice_item *x = &set->items[i],
						 *y = &set->items[k];

			if (i == k || !advice_same_part(x, y))
				continue;
			try_limit(set, x, y);
			try_tools(set, x, y);
			try_texts(set, x, y);
			try_counts(set, x, y);
			try_equals(set, x, y);
		}
}
