/* What the files of the mcp-eval dialect share. */
#pragma once

#include "check/dialect/mcp_eval_fields.h"
#include "check/dialect/scenarios.h"

/* The files that mcp-eval keeps of the scenario that was begun last are called
 * so, but for what a file's name cannot hold. */
void mcp_eval_kept_as(struct scenarios *, struct str name);

/* ---- kinds ---- */

/* Whether the object looks like an assertion: it has a kind, or keys that
 * only one kind has. */
bool mcp_eval_is_assertion(const struct json *);

/* The assertion at this value: one with a kind, or evaluators. */
void mcp_eval_assertion(
    struct scenarios *, const struct json *, const struct mcp_eval_scenario *);

/* ---- evaluators ---- */

/* Whether it is an object that has an evaluator of a name that there is. */
bool mcp_eval_is_evaluator(const struct json *);

/* All that are in an object, by name; or the one of this key. The scenario is
 * strict. */
void mcp_eval_evaluators(
    struct scenarios *, const struct json *, const struct mcp_eval_scenario *);
void mcp_eval_evaluator(struct scenarios *, const struct json *key,
    const struct mcp_eval_scenario *);

/* The one that a case has without naming it: the answer is what it expects. */
void mcp_eval_expected(struct scenarios *, const struct json *at,
    const struct mcp_eval_scenario *);

/* ---- datasets ---- */

/* Whether it is a dataset, one of its cases, or a list of them. */
bool mcp_eval_is_dataset(const struct json *);

void mcp_eval_dataset(struct scenarios *, const struct json *);
