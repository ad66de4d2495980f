#include "judge/question/budget.h"

#include <math.h>

/* Less than any price: sums of dollars are exact only to this amount. */
static const double speck = 1e-9;

static bool
is_out_of_requests(const struct budget *b)
{
	return b->requests != 0 && b->begun >= b->requests;
}

enum budget_word
budget_ask(const struct budget *b, size_t under_way)
{
	double next = b->spent + b->dearest * ((double)under_way + 1);

	if (is_out_of_requests(b))
		return BUDGET_STOP;
	if (b->usd == 0)
		return BUDGET_GO;
	if (b->unknown)
		return BUDGET_STOP;
	if (next <= b->usd + speck && (b->answered || under_way == 0))
		return BUDGET_GO;
	return under_way == 0 ? BUDGET_STOP : BUDGET_WAIT;
}

struct str
budget_why(const struct budget *b, struct arena *a)
{
	if (is_out_of_requests(b))
		return str_printf(
		    a, "--max-requests: %zu requests were sent", b->begun);
	if (b->unknown)
		return STR("--max-cost: the cost of an answer is not known "
			   "(see --prices)");
	return str_printf(a,
	    "--max-cost: $%.4f are spent, and an answer costs up to $%.4f",
	    b->spent, b->dearest);
}

void
budget_begin(struct budget *b)
{
	b->begun++;
}

void
budget_end(struct budget *b, const struct usage *u)
{
	b->answered = true;
	b->unknown |= !(u->known & 1U << USAGE_COST);
	b->spent += u->n[USAGE_COST];
	b->dearest = fmax(b->dearest, u->n[USAGE_COST]);
}
