/* Limits of iterations and times. */
#include "check/advice/set.h"

enum {
	ITERATIONS_LEAST = 3,
	ITERATIONS_MOST = 5,
	TIME_LEAST = 1000, /* milliseconds of a call */
};

static void
advise_iterations(struct advice_set *set, const struct advice_item *item)
{
	double n = json_double(item->value);

	if (!(n < ITERATIONS_LEAST) && !(n > ITERATIONS_MOST))
		return;
	if (set->shown != NULL && set->shown->llm_calls * 2 == n)
		return; /* twice the most of the runs */
	advice_add(set->notes, ITERATION_LIMIT, advice_value_place(item),
	    "%.*s: at most %.*s iterations", STR_FMT(item->check->type),
	    STR_FMT(item->value->text));
}

static void
advise_time(struct advice_set *set, const struct advice_item *item)
{
	double ms = json_double(item->value),
	       slowest = set->shown == NULL ? -1 : set->shown->call_ms,
	       least = slowest >= 0 ? slowest * 2 : TIME_LEAST;

	if (!(ms < least))
		return;
	if (slowest >= 0)
		advice_add(set->notes, TIGHT_TIME_LIMIT,
		    advice_value_place(item),
		    "%.*s: at most %.*s ms, and the calls of a run took %.15g",
		    STR_FMT(item->check->type), STR_FMT(item->value->text),
		    slowest);
	else
		advice_add(set->notes, TIGHT_TIME_LIMIT,
		    advice_value_place(item), "%.*s: at most %.*s ms",
		    STR_FMT(item->check->type), STR_FMT(item->value->text));
}

void
advise_limits(struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (!json_is(item->value, JSON_NUMBER))
			continue;
		if (item->type->role == ROLE_ITERATIONS)
			advise_iterations(set, item);
		else if (item->type->role == ROLE_TIME)
			advise_time(set, item);
	}
}
