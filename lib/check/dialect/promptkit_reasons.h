/* What PromptKit Arena tells of assertions that failed: each of these is a
 * check's explain. */
#pragma once

#include "check/dialect/promptkit.h"

/* Those of what decided, under the key check.detail; they follow the reason,
 * which is check.reason. */
void promptkit_reason_list(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* The same, and what was called. */
void promptkit_reason_tools(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* How often each agent was called, and how often it was to be. */
void promptkit_reason_requirements(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* Each call of an agent that was not to be called. */
void promptkit_reason_invocations(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* Who was to answer what. */
void promptkit_reason_answer(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* Of a workflow: what was expected, and what there was. */
void promptkit_reason_state(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* Whether the guardrail (check.detail, or absent) was to fire, and did. */
void promptkit_reason_guardrail(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* The pattern, which is check.detail, and the text. */
void promptkit_reason_pattern(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* The finding's why, which is members of a JSON object. */
void promptkit_reason_members(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* The same; the finding's cause follows the reason. */
void promptkit_reason_json(const struct check *, const struct finding *,
    struct view *, struct check_result *);
