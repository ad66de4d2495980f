/*
 * Reads the prices of models from a file of the user's: {"MODEL": {"input":
 * USD, "output": USD, "cache_read": USD, "cache_write": USD, "batch": SHARE}},
 * per million tokens. Tokens that are read from or written to a cache cost as
 * much as input by default, and a batch costs half by default.
 */
#pragma once

#include <stdbool.h>

#include "judge/provider/provider.h"

/* Reads the file into the arena. Returns NULL after messages if it has a
 * mistake. */
struct prices *prices_read(struct arena *, const char *path);

/* Returns the cost in US dollars of these tokens of the endpoint's model, or a
 * negative number if the model has no price, which is reported once. */
double prices_estimate(
    struct prices *, const struct endpoint *, double input, double output);

/* Sets the cost of the answer if the answer itself does not report a cost. The
 * cost is `reported`, which the server gave outside the answer (negative:
 * nothing), or else is computed from the tokens by the price of the model,
 * under the server's name for the model or else the user's. A model without a
 * price is reported once. `in_batch`: the batch factor applies. */
void prices_charge(struct prices *, struct answer *, const struct endpoint *,
    double reported, bool in_batch);
