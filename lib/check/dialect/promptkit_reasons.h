/* What PromptKit Arena tells of assertions that failed: each of these is a
 * check's explain. */
#ifndef PROMPTKIT_TOLD_H
#define PROMPTKIT_TOLD_H

#include "check/dialect/promptkit.h"

/* Those of what decided, under the key check.detail; they follow the reason,
 * which is check.reason. */
void promptkit_told_list(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* The same, and what was called. */
void promptkit_told_tools(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* How often each agent was called, and how often it was to be. */
void promptkit_told_requirements(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* Each call of an agent that was not to be called. */
void promptkit_told_invocations(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* Who was to answer what. */
void promptkit_told_answer(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* Of a workflow: what was expected, and what there was. */
void promptkit_told_state(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* Whether the guardrail (check.detail, or absent) was to fire, and did. */
void promptkit_told_guardrail(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* The pattern, which is check.detail, and the text. */
void promptkit_told_pattern(const struct check *, const struct finding *,
    struct view *, struct check_result *);

/* The finding's why, which is members of a JSON object. */
void promptkit_told_members(const struct check *, const struct finding *,
    struct view *, struct check_result *);
/* The same; the finding's cause follows the reason. */
void promptkit_told_json(const struct check *, const struct finding *,
    struct view *, struct check_result *);

#endif
