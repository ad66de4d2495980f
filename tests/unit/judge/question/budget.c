/* lib/judge/question/budget and lib/judge/question/rate_limit: which requests may be
 * sent, and when. */
#include "judge/question/budget.h"

#include "judge/question/rate_limit.h"
#include "tests/unit/unit.h"

static struct arena arena;

static void
spend(struct budget *b, double usd)
{
	struct usage u = { 0 };

	if (usd >= 0)
		usage_set(&u, USAGE_COST, usd);
	budget_end(b, &u);
}

static void
test_requests(void)
{
	struct budget b = { .requests = 2 };

	CHECK(budget_ask(&b, 0) == BUDGET_GO);
	budget_begin(&b);
	CHECK(budget_ask(&b, 1) == BUDGET_GO);
	budget_begin(&b);
	CHECK(budget_ask(&b, 2) == BUDGET_STOP);
	CHECK_STR(
	    budget_why(&b, &arena), "--max-requests: 2 requests were sent");
}

static void
test_money(void)
{
	struct budget b = { .usd = 1 };

	/* The cost of an answer is not known before the first answer. */
	CHECK(budget_ask(&b, 0) == BUDGET_GO);
	CHECK(budget_ask(&b, 1) == BUDGET_WAIT);
	spend(&b, 0.25);
	CHECK(budget_ask(&b, 2) == BUDGET_GO);
	CHECK(budget_ask(&b, 3) == BUDGET_WAIT);
	spend(&b, 0.5);
	CHECK(budget_ask(&b, 1) == BUDGET_WAIT);
	CHECK(budget_ask(&b, 0) == BUDGET_STOP);
	CHECK_STR(budget_why(&b, &arena),
	    "--max-cost: $0.7500 are spent, and an answer costs up to "
	    "$0.5000");
	b = (struct budget){ .usd = 1 };
	spend(&b, -1);
	CHECK(budget_ask(&b, 0) == BUDGET_STOP);
	CHECK_STR(budget_why(&b, &arena),
	    "--max-cost: the cost of an answer is not known (see --prices)");
	b = (struct budget){ 0 };
	spend(&b, -1);
	CHECK(budget_ask(&b, 0) == BUDGET_GO);
	b = (struct budget){ .usd = 0.3 }; /* 0.1 three times is more */
	spend(&b, 0.1);
	spend(&b, 0.1);
	CHECK(budget_ask(&b, 0) == BUDGET_GO);
	spend(&b, 0.1);
	CHECK(budget_ask(&b, 0) == BUDGET_STOP);
}

static void
test_pace(void)
{
	struct rate_limit p = { .requests = 30 };

	CHECK(rate_limit_wait(&p, 100) <= 0);
	rate_limit_begin(&p, 100, 5000);
	CHECK(rate_limit_wait(&p, 100) == 2);
	CHECK(rate_limit_wait(&p, 102) <= 0);
	p = (struct rate_limit){ .tokens = 6000 };
	rate_limit_begin(&p, 100, 500);
	CHECK(rate_limit_wait(&p, 100) == 5);
	rate_limit_correct(&p, 500, 1000);
	CHECK(rate_limit_wait(&p, 100) == 10);
	rate_limit_begin(&p, 100, 100);
	CHECK(rate_limit_wait(&p, 100) == 11);
	rate_limit_hold(&p, 120);
	rate_limit_hold(&p, 115);
	CHECK(rate_limit_wait(&p, 100) == 20);
}

int
main(void)
{
	test_requests();
	test_money();
	test_pace();
	arena_free(&arena);
	return unit_status();
}
