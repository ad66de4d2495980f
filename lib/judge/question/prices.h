/*
 * What models cost, by a file of the user's: {"MODEL": {"input": USD,
 * "output": USD, "cache_read": USD, "cache_write": USD, "batch": SHARE}}, for a
 * million tokens each. What is read from or written to a cache costs what input
 * does, if that is not told, and a batch half of all this.
 */
#pragma once

#include <stdbool.h>

#include "judge/provider/provider.h"

/* Reads the file; NULL if there is a mistake in it, which was told. */
const struct prices *prices_read(struct arena *, const char *path);

/* Sets what the answer cost, if it does not say: what the server told beside
 * it (negative: nothing), or else what its tokens come to, if there is a price
 * of the model, as the server names it or else as the user does. `batch`: it
 * was had by one. */
void prices_charge(const struct prices *, struct answer *,
    const struct endpoint *, double told, bool batch);
