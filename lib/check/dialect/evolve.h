/* What the files of the evolve dialect share. */
#pragma once

#include "check/dialect/scenarios.h"

/* What an eval says that its assertions go by. */
struct evolve_eval {
	struct str expected; /* what its author would like to see, or absent */
	double seconds;      /* how long a command may take; 0: not said */
};

/* The fixtures of an eval, of which nothing but their names counts here: those
 * that upstream could not put into a run's folder are mistakes. */
void evolve_files(struct fields *);

bool evolve_has_type(struct str type);

/* The statement at this value, a text, for a judge to verify. */
void evolve_statement(struct scenarios *, const struct json *,
    const struct evolve_eval *, bool expectation);

/* The assertion at this value: an object, or text that is a statement. */
void evolve_assertion(
    struct scenarios *, const struct json *, const struct evolve_eval *);

/* Those in a list (NULL: none). */
void evolve_assertions(
    struct scenarios *, const struct json *list, const struct evolve_eval *);
