/* Which tools are required, and in what order; what runs show of them. */
#include "check/advice/forms.h"

enum { SHOWN_ORDER = 5 }; /* tools that a note names */

/* Returns the number of different tools that the items say were called. */
static size_t
count_required(const struct advice_set *set)
{
	struct hash_table known = { .arena = set->arena };
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (item->type->role != ROLE_CALLED &&
		    item->type->role != ROLE_COUNT &&
		    item->type->role != ROLE_ARGUMENTS)
			continue;
		for (size_t k = 0; k < item->texts.n; k++)
			n += hash_is_new(&known, item->texts.list[k]);
	}
	return n;
}

/* Returns how the runs that pass order their calls, for the end of a note. */
static struct str
order_shown(const struct advice_set *set)
{
	const struct advice_shown *s = set->shown;

	if (s == NULL || s->order.n < 2)
		return STR("");
	return str_printf(set->arena, " (all runs: %.*s%s)",
	    STR_FMT(str_join(set->arena, s->order.list,
		s->order.n < SHOWN_ORDER ? s->order.n : SHOWN_ORDER,
		STR(", "))),
	    s->order.n > SHOWN_ORDER ? ", ..." : "");
}

static void
advise_order(struct advice_set *set)
{
	size_t n = count_required(set);

	if (n < 2 || !(set->dialect->families & FAMILY_ORDER) ||
	    set->families & FAMILY_ORDER)
		return;
	advice_add(set->notes, NO_ORDER, set->place,
	    "%.*s requires %zu tools and no order%.*s%.*s", STR_FMT(set->name),
	    n,
	    STR_FMT(advice_form_name(set->arena,
		advice_style_of(set->dialect->name, set->scenario),
		FORM_ORDER)),
	    STR_FMT(order_shown(set)));
}

void
advise_tools(struct advice_set *set)
{
	const struct advice_shown *s = set->shown;

	advise_order(set);
	for (size_t i = 0; s != NULL && i < s->ntools; i++)
		if (!advice_requires(set, s->tools[i].name))
			advice_add(set->notes, UNCHECKED_TOOL, set->place,
			    "no assertion of %.*s requires %.*s",
			    STR_FMT(set->name), STR_FMT(s->tools[i].name));
}
