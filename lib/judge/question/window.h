/* Finds out how many tokens a model takes, from the list of models of its server. */
#pragma once

#include "judge/provider/provider.h"

/*
 * Sets the context_tokens of an endpoint that has none, if the server says them:
 * asks once in the life of the endpoint, for up to ten seconds. The answer is kept in
 * the folder `cache` (NULL: none) and found there again. `silent`: nothing may be
 * sent. A failure leaves 0, without a message.
 */
void window_find(struct endpoint *, const char *cache, bool silent);
