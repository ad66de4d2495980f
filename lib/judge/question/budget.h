/*
 * Limits what may be spent: requests, and money if the answers report their
 * cost. Each request that is under way is expected to cost as much as the
 * dearest answer so far.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "trace/usage.h"

struct budget {
	size_t requests; /* upper limit; 0: none */
	double usd;      /* upper limit in US dollars; 0: none */

	size_t begun; /* private */
	double spent, dearest;
	bool answered, unknown;
};

enum budget_word {
	BUDGET_GO,
	BUDGET_WAIT, /* until a request that is under way ends */
	BUDGET_STOP,
};

/* Returns whether another request may begin while `under_way` requests are
 * under way. */
enum budget_word budget_ask(const struct budget *, size_t under_way);

/* Returns why budget_ask returned BUDGET_STOP. Text that is not fixed is in
 * the arena. */
struct str budget_why(const struct budget *, struct arena *);

void budget_begin(struct budget *);
void budget_end(struct budget *, const struct usage *);
