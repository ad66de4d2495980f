/*
 * Reads the prices of models from a file of the user's: {"MODEL": {"input":
 * USD, "output": USD, "cache_read": USD, "cache_write": USD, "batch": SHARE}},
 * per million tokens. Tokens that are read from or written to a cache cost as
 * much as input by default, and a batch costs half by default.
 */
#pragma once

#include <stdbool.h>

#include "trace/usage.h"
#include "json/json.h"

/* The price of a model. */
struct price;

/* Reads the file into the arena. Returns NULL after messages if it has a
 * mistake. */
struct prices *prices_read(struct arena *, const char *path);

/* Returns the price given for MODEL or for PROVIDER/MODEL, or NULL. The
 * provider may be absent. */
const struct price *prices_of(
    const struct prices *, struct str model, struct str provider);

/* Reports that the model has no price, once for each model. Threads must not
 * call this function at the same time. */
void prices_warn_lacking(struct prices *, struct str model);

/* Returns the cost in US dollars of the tokens; a negative number if the usage
 * lacks input or output. `in_batch`: the batch factor applies. */
double price_cost(const struct price *, const struct usage *, bool in_batch);

/* Adds the cost to the usage of a run or turn of that model and provider, if
 * the usage has tokens and no cost, and marks the cost as estimated. Returns
 * false if the cost stays unknown although tokens were used: the model is
 * absent, the usage lacks input or output, or the model has no price, which is
 * reported once for each model. */
bool prices_add(
    struct prices *, struct usage *, struct str model, struct str provider);

/* Returns the trace with the cost in its usage, made in the arena, or the trace
 * itself if it has a cost, no tokens, several models or none, or a model
 * without a price. The record lives in the reader. */
const struct json *prices_add_to_trace(struct prices *, struct json_reader *,
    const struct json *record, struct arena *);
