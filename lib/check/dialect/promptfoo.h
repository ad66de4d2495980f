/*
 * promptfoo's configurations. promptfoo.c reads a file's tests and gives each
 * its assertions; a form (promptfoo_*.c) makes a check of one assertion.
 *
 * To add a type: a row FORM("type", make) in the list of forms of its file, and
 * `make`, which asks for the value, the threshold and any other key, and ends
 * with promptfoo_finish. The form `not-type` is made of the same row.
 */
#pragma once

#include "check/dialect/scenarios.h"

/* The test that an assertion belongs to. */
struct promptfoo_test {
	const struct json *vars; /* an object, or NULL */
	/* Set by the getters below, for promptfoo_finish: why the assertion
	 * cannot be decided on a recorded run; absent: it can. */
	struct str undecided;
};

/* ---- keys of an assertion (promptfoo_assertion.c) ---- */

/* Returns whether the assertion's type begins with `not-`. */
bool promptfoo_is_negated(const struct fields *);

/* Returns the assertion's value with the test's vars filled in, or NULL if
 * there is none. */
const struct json *promptfoo_value(struct fields *);

/* Returns a value that must be text; a number is its text. */
struct str promptfoo_text(struct fields *);

/* Returns the assertion's threshold, or `otherwise` if it has none. */
double promptfoo_threshold(struct fields *, double otherwise);

/* Makes an assertion that a recorded run cannot decide: promptfoo_finish returns
 * a check that is skipped for this reason, unless there was one before. */
void promptfoo_undecided(struct fields *, struct str why);

/* Ends an assertion: reads the keys that all types have (weight, metric,
 * provider, transform and so on), and returns the check with its label, which
 * is the type and `about`, and with `negate` if the type begins with `not-`. The
 * check's reason, if the form sets none, is the label. */
struct check promptfoo_finish(
    struct fields *, struct check, struct str about);

/* ---- types, each list ended by a form without a name ---- */

extern const struct form promptfoo_text_forms[];
extern const struct form promptfoo_metric_forms[];
