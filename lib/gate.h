/* What decides the exit status: which runs may not be there, and how many. */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "str.h"
#include "tally.h"

struct gate {
	bool fail_on[STATUS_COUNT];
	double
	    fail_under; /* pass rate, 0 to 1; it takes failed's place; -1: none */
};

struct gate_verdict {
	int status;     /* what to exit with */
	struct str why; /* "2 of 8 runs failed" */
};

/* failed, error and pending runs, whatever the rate. */
struct gate gate_default(void);

/* Reads "failed,error" or "none". False, and *bad is the word that it does
 * not know. */
bool gate_fail_on(struct gate *, struct str list, struct str *bad);

/* Reads "0.9" or "90%". False if it is no rate. */
bool gate_fail_under(struct gate *, const char *rate);

/* Whether a run of that status fails it. */
bool gate_fails_on(const struct gate *, enum status);

/*
 * 2 for trouble (as many errors were told), if there was no run at all, and if
 * runs were checked and none was decided; else 1 if the gate is not passed;
 * else 0. Runs without status do not count.
 */
struct gate_verdict gate_decide(const struct gate *, const struct tally_group *,
    size_t errors, struct arena *);

#endif
