/* The cost of questions and answers, by the prices of models. */
#pragma once

#include <stdbool.h>

#include "judge/provider/provider.h"
#include "trace/prices.h"

/* Returns the cost in US dollars of these tokens of the endpoint's model, or a
 * negative number if the model has no price, which is reported once. */
double charge_estimate(
    struct prices *, const struct endpoint *, double input, double output);

/* Sets the cost of the answer if the answer itself does not report a cost. The
 * cost is `reported`, which the server gave outside the answer (negative:
 * nothing), or else is computed from the tokens by the price of the model,
 * under the server's name for the model or else the user's. A model without a
 * price is reported once. `in_batch`: the batch factor applies. */
void charge_answer(struct prices *, struct answer *, const struct endpoint *,
    double reported, bool in_batch);
