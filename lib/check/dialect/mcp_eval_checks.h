/* What makes mcp-eval's checks out of the keys of an assertion. Those that its
 * kinds and its evaluators spell differently are given the spelling. */
#ifndef MCP_EVAL_CHECKS_H
#define MCP_EVAL_CHECKS_H

#include "check/check.h"
#include "check/dialect/mcp_eval.h"
#include "check/dialect/mcp_eval_fields.h"

/* ---- for all of them ---- */

/* Done with an assertion, of which `about` says most. */
struct check mcp_eval_labelled(struct entry *, struct check, struct str about);

/* A value as its author wrote it, on one line. */
struct str mcp_eval_source(struct arena *, const struct json *);

/* Tells of an unquoted date in a value (NULL: there is no value). */
void mcp_eval_refuse_instants(struct entry *, const struct json *);

/* What the assertion is part of. */
const struct mcp_eval_scenario *mcp_eval_scenario_of(const struct entry *);

/* ---- of calls ---- */

struct check mcp_eval_was_called(struct entry *);
struct check mcp_eval_called_with(struct entry *, const char *key);
struct check mcp_eval_count(struct entry *);
struct check mcp_eval_sequence(
    struct entry *, const char *key, bool other_calls);
struct check mcp_eval_success_rate(struct entry *);
struct check mcp_eval_failed(struct entry *);
struct check mcp_eval_efficiency(struct entry *);
struct check mcp_eval_output(struct entry *);

/* ---- of the answer ---- */

struct check mcp_eval_contains(struct entry *, bool negate);
struct check mcp_eval_pattern(struct entry *, bool negate);
struct check mcp_eval_instance(struct entry *);
struct check mcp_eval_equals(struct entry *);
struct check mcp_eval_llm_judge(struct entry *);
struct check mcp_eval_multi_criteria(struct entry *);

/* ---- limits ---- */

struct check mcp_eval_iterations(struct entry *);
struct check mcp_eval_call_time(struct entry *, const char *ms);

#endif
