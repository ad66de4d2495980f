/* The common parts of the forms of PromptKit Arena's assertions. */
#pragma once

#include "check/dialect/promptkit.h"
#include "emulate/regex/regex.h"

/* ---- reading (promptkit_assertion.c) ---- */

/* Returns the place of the assertion in the file. */
const struct promptkit_place *promptkit_place_of(const struct fields *);

/* Returns whether the assertion is judged as by the current version of
 * PromptKit: in the dialect promptkit-2, and where the version of the document
 * does not know the type at that level. */
bool promptkit_is_current(const struct fields *);

/* Returns whether the assertion is about the run, or about a step of its
 * workflow, where PromptKit has other names for some parameters. */
bool promptkit_is_wide(const struct fields *);

/* ---- rows ----
 * A row's `make` reads the parameters (not the object around them) and returns the check,
 * whose label is what the assertion is about. The row's reason, its detail (FORM's key)
 * and its explain are those of the check, unless `make` sets others. */

#define FAILS(how, reason, about) \
	.explain = promptkit_reason_##how, .fails = (reason), .key = (about)

/* Returns the object around the parameters. */
struct fields *promptkit_outer(const struct fields *params);

/* Return the check about a text; and about a list, whose texts have commas between them
 *. A check that is not negated
 * fails if the list is empty, which is then its reason. */
struct check promptkit_about(struct check, struct str);
struct check promptkit_about_list(
    struct fields *params, struct check, struct str_list);

/* Makes the check by the row of another type. */
struct check promptkit_as(struct fields *params, const char *type);

/* Returns a list of texts, which must be there if the row says so. */
struct str_list promptkit_texts(struct fields *params, const char *key);

/* Like promptkit_texts, for names under either of two keys, in rows one behind the other:
 * PromptKit knows the first on a turn and the second elsewhere (a deviation; see
 * mcpl-spec(5)). If both are there, the key of the level counts; for the current version
 * the second. */
struct str_list promptkit_names(struct fields *params, const char *of_turn);

/* Returns the limits of the score, min_score and max_score; NULL: none. */
const struct check_bounds *promptkit_bounds(struct fields *params);

/* Return the limit under a key, in the arena; NULL if the key is missing, or the type
 * has no such key. The current version takes a fraction for the whole number below
 * it. */
const int64_t *promptkit_int(struct fields *params, const char *key);
/* The number 1, for parameters that have a default. */
extern const int64_t promptkit_once;

/* Returns the compiled pattern. NULL if the text is absent, or is no pattern,
 * which is reported at the value `at` with its key. */
struct regex *promptkit_compile(struct fields *params, const char *key,
    const struct json *at, struct str text);

/* Returns a number that is written as a fraction (1.0), or NULL. The version of
 * the document ignores other numbers, which is reported. */
const struct json *promptkit_fraction(struct fields *params, const char *key);

/* ---- types, each list ended by a form without a name ----
 * `levels` are those at which the version of the document knows the type; 0:
 * only the current version has the type. */

extern const struct form promptkit_answer_forms[], promptkit_calls_forms[],
    promptkit_json_forms[], promptkit_judged_forms[], promptkit_live_forms[],
    promptkit_tools_forms[], promptkit_workflow_forms[];

/* ---- reasons and metadata of failures (promptkit_reasons.c) ---- */

/* Writes what decided, under the key check.detail, and appends it to
 * check.reason; _tools also writes what was called. */
check_explain promptkit_reason_list, promptkit_reason_tools;

/* Appends what was found, the finding's `why`, to check.reason. */
check_explain promptkit_reason_found;

/* _requirements writes how often each agent was called, and how often it should
 * be called; _invocations each call of an agent that should not be called;
 * _answer the agent and the expected text. */
check_explain promptkit_reason_requirements, promptkit_reason_invocations,
    promptkit_reason_answer;

/* _state writes the expected and the actual state of the workflow; _guardrail
 * whether the guardrail (check.detail, or absent) should fire, and did. */
check_explain promptkit_reason_state, promptkit_reason_guardrail;

/* Writes the pattern, which is check.detail, and the text. */
check_explain promptkit_reason_pattern;

/* _members writes the finding's `why`, which is members of a JSON object; _json
 * also appends the finding's `cause` to the reason. */
check_explain promptkit_reason_members, promptkit_reason_json;
