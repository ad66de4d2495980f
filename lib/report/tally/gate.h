/* What decides the exit status: which runs may not be there, and how many. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/tally.h"

/* What a report can fail on: a run's status, and these. */
enum gate_cause {
	GATE_FLAKY = STATUS_COUNT, /* a task of which not all runs did alike */
	GATE_REGRESSION,           /* against a baseline */
	GATE_DRIFT,                /* from a snapshot */
	GATE_CAUSES,
};

struct gate {
	bool fail_on[GATE_CAUSES];
	/* Pass rates, 0 to 1, that take failed's place; -1: none. */
	double fail_under;
	double fail_under_ci; /* of the interval's lower end */
	/* Only checks at least so severe decide what a run's status is. */
	enum severity severity;
};

/* What it is decided by. */
struct gate_facts {
	const struct tally *tally; /* finished */
	size_t regressions, drifted;
	size_t errors; /* messages that told of trouble */
};

struct gate_verdict {
	int status;     /* what to exit with */
	struct str why; /* "2 of 8 runs failed" */
};

/* failed, error and pending runs, whatever the rate and the severity. */
struct gate gate_default(void);

/* "failed", "regression"; what --fail-on calls it. */
const char *gate_cause_name(int cause);

/* Reads "failed,error" or "none". False, and *bad is the word that it does
 * not know. */
bool gate_fail_on(struct gate *, struct str list, struct str *bad);

/* Reads "0.9" or "90%" as 0 to 1. False if it is no rate. */
bool gate_rate(const char *text, double *rate);

/* Whether it fails on that status or other cause. */
bool gate_fails_on(const struct gate *, int cause);

/*
 * 2 for trouble, if there was no run at all, and if runs were checked and none
 * was decided; else 1 if the gate is not passed; else 0. Runs without status
 * do not count.
 */
struct gate_verdict gate_decide(
    const struct gate *, const struct gate_facts *, struct arena *);
