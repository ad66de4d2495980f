/*
 * What may be spent: requests, and money as far as the answers say what they
 * cost. The dearest answer so far stands for those that are under way.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "trace/usage.h"

struct budget {
	size_t requests; /* at most; 0: any number */
	double usd;      /* at most; 0: any amount */

	size_t begun; /* private */
	double spent, dearest;
	bool answered, unknown;
};

enum budget_word {
	BUDGET_GO,
	BUDGET_WAIT, /* until one of those under way is over */
	BUDGET_STOP,
};

/* Whether another request may begin beside those under way. */
enum budget_word budget_ask(const struct budget *, size_t under_way);

/* Why not. */
struct str budget_why(const struct budget *, struct arena *);

void budget_begin(struct budget *);
void budget_end(struct budget *, const struct usage *);
