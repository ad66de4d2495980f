/* What makes mcp-eval's checks out of the keys of an assertion. Those that its
 * kinds and its evaluators spell differently are given the spelling. */
#pragma once

#include "check/check.h"
#include "check/dialect/mcp_eval.h"
#include "check/dialect/mcp_eval_fields.h"

/* ---- for all of them ---- */

/* Done with an assertion, of which `about` says most. */
struct check mcp_eval_labelled(struct fields *, struct check, struct str about);

/* A value as its author wrote it, on one line. */
struct str mcp_eval_source(struct arena *, const struct json *);

/* Tells of an unquoted date in a value (NULL: there is no value). */
void mcp_eval_refuse_instants(struct fields *, const struct json *);

/* What the assertion is part of. */
const struct mcp_eval_scenario *mcp_eval_scenario_of(const struct fields *);

/* ---- of calls ---- */

struct check mcp_eval_was_called(struct fields *);
struct check mcp_eval_called_with(struct fields *, const char *key);
struct check mcp_eval_count(struct fields *);
struct check mcp_eval_sequence(
    struct fields *, const char *key, bool other_calls);
struct check mcp_eval_success_rate(struct fields *);
struct check mcp_eval_failed(struct fields *);
struct check mcp_eval_efficiency(struct fields *);
struct check mcp_eval_output(struct fields *);

/* ---- of the answer ---- */

struct check mcp_eval_contains(struct fields *, bool negate);
struct check mcp_eval_pattern(struct fields *, bool negate);
struct check mcp_eval_instance(struct fields *);
struct check mcp_eval_equals(struct fields *);
struct check mcp_eval_llm_judge(struct fields *);
struct check mcp_eval_multi_criteria(struct fields *);

/* ---- limits ---- */

struct check mcp_eval_iterations(struct fields *);
struct check mcp_eval_call_time(struct fields *, const char *ms);
