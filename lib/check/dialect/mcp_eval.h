/*
 * mcp-eval's assertion files. mcp_eval.c reads the files; mcp_eval_forms.c has
 * the assertions by type; mcp_eval_calls.c and mcp_eval_answer.c make the
 * checks; mcp_eval_fields.c reads keys.
 *
 * mcp-eval reads the keys of a scenario as pydantic does, so that text may be
 * read as a number or a truth value; it takes those of a dataset as they are.
 */
#pragma once

#include "check/dialect/scenarios.h"

/* The part of a scenario, or of a case of a dataset, that its assertions depend
 * on. */
struct mcp_eval_scenario {
	const struct json *inputs;   /* what the user says; NULL: not given */
	const struct json *expected; /* what its author would like to see; NULL:
				      * not given */
	bool strict;                 /* text is no number and no truth value */
};

/* ---- keys (mcp_eval_fields.c) ---- */

/* Returns the scenario that the assertion is part of. */
const struct mcp_eval_scenario *mcp_eval_scenario_of(const struct fields *);

/* Return the value of a key, as its row says. */
int64_t mcp_eval_int(struct fields *, const char *name);
double mcp_eval_float(struct fields *, const char *name);
bool mcp_eval_bool(struct fields *, const char *name);

/* Returns the number that is the key's value, or within that value. */
int64_t mcp_eval_int_of(struct fields *, const struct json *, const char *key);

/* Returns min_score as mcp-eval scales it: from 0 to 1. */
double mcp_eval_min_score(struct fields *);

/* Returns a list that must be there and not null; NULL if it is not. */
const struct json *mcp_eval_list(struct fields *, const char *key);

/* Reports unquoted dates in a value (NULL: there is no value). */
void mcp_eval_refuse_dates(struct fields *, const struct json *);

/* Returns a value as its author wrote it, on one line. */
struct str mcp_eval_source(struct arena *, const struct json *);

/* Ends an assertion: returns the check with a label, which is the assertion's
 * type and `about`. */
struct check mcp_eval_labelled(struct fields *, struct check, struct str about);

/* ---- checks, each made of an assertion's keys ---- */

/* mcp_eval_calls.c. */
form_make mcp_eval_was_called, mcp_eval_called_with, mcp_eval_count,
    mcp_eval_sequence, mcp_eval_success_rate, mcp_eval_failed,
    mcp_eval_efficiency, mcp_eval_output, mcp_eval_iterations,
    mcp_eval_call_time;

/* mcp_eval_answer.c; form->how says whether the check is negated. */
form_make mcp_eval_contains, mcp_eval_contains_or_matches, mcp_eval_instance,
    mcp_eval_equals, mcp_eval_llm_judge, mcp_eval_multi_criteria;

/* ---- assertions (mcp_eval_forms.c) ---- */

/* The kinds and the evaluators that mcp-eval has. */
extern const struct form_list mcp_eval_types[];

/* Returns whether the object looks like an assertion: it has a kind, or keys
 * that only one kind has. */
bool mcp_eval_is_assertion(const struct json *);

/* Adds the assertion at this value: one with a kind, or evaluators. */
void mcp_eval_assertion(
    struct scenarios *, const struct json *, const struct mcp_eval_scenario *);

/* Returns whether the value is an object that names a known evaluator. */
bool mcp_eval_is_evaluator(const struct json *);

/*
 * Adds the evaluators in an object: {NAME: {KEYS}, ...}, or, as mcp-eval's
 * documentation has it, {type: NAME, args: {KEYS}}. The scenario is strict.
 */
void mcp_eval_evaluators(
    struct scenarios *, const struct json *, const struct mcp_eval_scenario *);

/* Adds the evaluator that a case has without naming it: the answer is what the
 * case expects. */
void mcp_eval_expected(struct scenarios *, const struct json *at,
    const struct mcp_eval_scenario *);
