/* evolve.c reads evolve's files; evolve_forms.c reads the assertions in
 * them. */
#pragma once

#include "check/dialect/scenarios.h"

/* The part of an eval that its assertions depend on. */
struct evolve_eval {
	struct str expected; /* what its author would like to see, or absent */
	double seconds;      /* time limit of a command; 0: none is given */
};

/* The types that evolve has. */
extern const struct form_list evolve_types[];

/* Returns whether evolve has assertions of this type, or of a similar one. */
bool evolve_has_type(struct str type);

/* Returns whether the value is a statement for a judge: text, or an object with
 * a text and without a type. */
bool evolve_is_statement(const struct json *);

/* Adds the statement at this value, a text, for a judge to verify. */
void evolve_statement(struct scenarios *, const struct json *,
    const struct evolve_eval *, bool expectation);

/* Adds the assertion at this value: an object, or text that is a statement. */
void evolve_assertion(
    struct scenarios *, const struct json *, const struct evolve_eval *);

/* Adds the assertions of a list (NULL: none). */
void evolve_assertions(
    struct scenarios *, const struct json *list, const struct evolve_eval *);
