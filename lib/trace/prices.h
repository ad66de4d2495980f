/*
 * The prices of models: of a file of the user's, {"MODEL": {"input": USD,
 * "output": USD, "cache_read": USD, "cache_write": USD, "cache_write_1h": USD,
 * "batch": SHARE, "date": DAY, "source": TEXT}}, per million tokens, or those of
 * prices.yaml, which is embedded in the program. Tokens that are read from or
 * written to a cache cost as much as input by default, those that a cache keeps
 * for an hour twice as much, and a batch costs half by default.
 */
#pragma once

#include <stdbool.h>

#include "trace/usage.h"
#include "json/json.h"

/* The price of a model, and all prices. */
struct price;
struct prices;

/* Sets *all to the prices that the argument of --prices names: the path of a
 * file, "embedded", or "none", for which *all is NULL. They live in the arena.
 * Returns false after messages if the file has a mistake. */
bool prices_option(struct arena *, const char *argument, struct prices **all);
/* Returns the embedded prices, in the arena; their text is right, as tests see. */
struct prices *prices_embedded(struct arena *);

/* Returns the price given for MODEL or for PROVIDER/MODEL, or NULL. The
 * provider may be absent. A model that has no price under its whole name has that
 * of its name without date, host and context: us.anthropic.claude-opus-4-5-20251101-v1:0
 * has that of claude-opus-4-5. Any thread may call this function. */
const struct price *prices_of(
    struct prices *, struct str model, struct str provider);

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

/* Estimates the cost of the usage of a trace in *usd. Returns false if the usage
 * has a cost or no tokens, if the log does not say which model used them, or if
 * a model has no price: then *lacking, which is absent otherwise, is that
 * model. Any thread may call this function. */
bool prices_estimate(struct prices *, const struct json *record, struct arena *,
    double *usd, struct str *lacking);

/* Returns the trace with the estimated cost in its usage, made in the arena, or
 * the trace itself if nothing can be estimated; reports models without a price.
 * The record lives in the reader. */
const struct json *prices_add_to_trace(struct prices *, struct json_reader *,
    const struct json *record, struct arena *);
