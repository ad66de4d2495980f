/* Decides in which order names occurred, or whether they are those of a list. */
#include "check/kind/names.h"
#include "check/kind/order.h"

struct sought {
	const struct name_seen *seen;
	struct str_list names;
};

static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	const struct sought *s = arg;

	return names_is(&s->seen[made], s->names.list[wanted]) ? ORDER_FITS
							       : ORDER_OTHER;
}

/* Returns how many of the names occurred in their order. */
static size_t
in_order(const struct names_seen *all, struct str_list names)
{
	struct sought s = { all->list, names };

	return order_within(&(struct order){ names.n, all->n, fit, &s });
}

static struct finding
find_order(const struct names_order_want *w, const struct names_seen *all)
{
	size_t n = in_order(all, w->names);
	struct finding f = finding_graded(n, w->names.n);

	if (n < w->names.n)
		f.decisive = (struct str_list){ &w->names.list[n], 1 };
	return f;
}

static struct finding
find_one_of(const struct names_order_want *w, const struct names_seen *all)
{
	for (size_t i = 0; i < w->n; i++)
		if (in_order(all, w->lists[i]) == w->lists[i].n)
			return (struct finding){ .found = FOUND_YES,
				.decisive = w->lists[i] };
	return finding_of(false);
}

/* Returns the list of the state that was entered last, in which PromptKit takes all calls
 * for made; NULL if the state has none. */
static const struct str_list *
list_of_state(const struct names_order_want *w, struct view *v)
{
	struct names_seen states = names_find(v, NAMES_STATES, false, false);

	if (states.n == 0)
		return NULL;
	for (size_t i = w->n; i-- > 0;)
		if (str_eq(w->names.list[i], states.list[states.n - 1].name))
			return &w->lists[i];
	return NULL;
}

static struct finding
find_allowed(const struct names_order_want *w, const struct names_seen *all,
    struct view *v)
{
	const struct str_list *allowed = list_of_state(w, v);
	struct finding f = { .found = FOUND_NO };

	for (size_t i = 0; allowed != NULL && i < all->n; i++)
		if (allowed->n == 0 || !names_is_among(&all->list[i], *allowed))
			str_list_add(v->arena, &f.decisive, all->list[i].name);
	f.found = f.decisive.n == 0 ? FOUND_YES : FOUND_NO;
	return f;
}

static struct finding
names_order_find(const void *want, struct view *v)
{
	const struct names_order_want *w = want;
	struct names_seen all = names_find(v, w->of, false, false);
	struct finding f = { 0 };

	switch (w->how) {
	case NAMES_ORDER:
		f = find_order(w, &all);
		break;
	case NAMES_ONE_OF:
		f = find_one_of(w, &all);
		break;
	case NAMES_ALLOWED:
		f = find_allowed(w, &all, v);
		return names_settle(&all, f, f.found == FOUND_NO, v);
	}
	return names_settle(&all, f, f.found == FOUND_YES, v);
}

static void
show_lists(const void *want, struct out *o)
{
	const struct names_order_want *w = want;

	if (w->n == 0)
		return;
	out_member_begin(o, "lists", '[');
	for (size_t i = 0; i < w->n; i++)
		out_json_strs(o, w->lists[i]);
	out_end(o, ']');
}

static const struct check_kind names_order_check_kind = { .name = "occurrences",
	.find = names_order_find,
	.show = show_lists,
	WANTS(WANT("of tools skills states", WANT_WORD, names_order_want, of),
	    WANT("how order orders allowed", WANT_WORD, names_order_want, how),
	    WANT("names", WANT_STRS | WANT_IF, names_order_want, names)) };

struct check
names_order_check(struct arena *a, const struct names_order_want *want)
{
	unsigned needs = want->of == NAMES_STATES ? VIEW_WORKFLOW : VIEW_CALLS;

	if (want->how == NAMES_ALLOWED)
		needs |= VIEW_WORKFLOW;
	return check_new(a, &names_order_check_kind, want, sizeof *want, needs);
}
