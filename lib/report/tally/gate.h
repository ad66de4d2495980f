/* The gate, which decides the exit status by the status of the runs, pass
 * rates, regressions and drift. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/tally.h"

/* The causes of --fail-on: a run's status, and these. */
enum gate_cause {
	/* a task of which some runs passed and others did not */
	GATE_FLAKY = STATUS_COUNT,
	GATE_REGRESSION, /* against a baseline */
	GATE_USAGE,      /* the runs use more than those of a baseline */
	GATE_TOOLS, /* the runs call other tools than those of a baseline */
	GATE_DRIFT, /* from a snapshot */
	GATE_DROP,  /* of a pass rate, in a history */
	GATE_CAUSES,
};

struct gate {
	bool fail_on[GATE_CAUSES];
	/* Least pass rates, 0 to 1, which replace the cause "failed"; -1:
	 * none. */
	double fail_under;
	double fail_under_ci; /* of the lower end of the interval */
	/* Only checks of at least this severity decide the status of a run.
	 * SEVERITY_COUNT: the verdict on the run decides. */
	enum severity severity;
};

/* The facts that the gate decides by. */
struct gate_facts {
	const struct tally *tally; /* finished */
	size_t regressions, drifted, drops;
	size_t noise; /* rows that are worse, and no regressions */
	size_t usage_rises, tool_changes; /* see tally/behaviour.h */
	size_t errors;                    /* the number of error messages */
};

struct gate_verdict {
	int status;     /* the exit status */
	struct str why; /* "2 of 8 runs failed" */
	bool undecided; /* the status is 0, though no run was decided */
	/* The status is 0, runs passed, and the gate counts the runs that
	 * failed, ended in an error or are pending, if there are any. */
	bool passed;
};

/* Returns the default gate: fails on failed, error and pending runs, with no
 * least rate and by the verdicts on the runs. */
struct gate gate_default(void);

/* Returns the name of a cause in --fail-on: "failed", "regression". */
const char *gate_cause_name(int cause);

/* Returns " (did you mean 'failed'?)" if the word is similar to the name of one
 * of the causes from `first` to before `end`, or the beginning of one; else an
 * empty text. */
const char *gate_cause_near(
    struct str word, int first, int end, struct arena *);

/* Reads "failed,error" or "none". Returns false and sets *bad to the first
 * unknown word. */
bool gate_fail_on(struct gate *, struct str list, struct str *bad);

/* Reads "0.2" or "20%" as a number that is at least 0. Returns false if the
 * text is no such number. */
bool gate_margin(const char *text, double *margin);

/* Reads "0.9" or "90%" as a number from 0 to 1. Returns false if the text is no
 * rate. */
bool gate_rate(const char *text, double *rate);

/* Returns whether the gate fails on that status or other cause. */
bool gate_fails_on(const struct gate *, int cause);

/* Returns whether checks of that severity can change the exit status. Without
 * --severity only errors can, as in the verdict on a run. */
bool gate_counts(const struct gate *, enum severity);

/*
 * Returns the verdict. The first of these cases that applies gives the exit
 * status:
 * - 2 after an error message;
 * - 0 if --filter excluded every run;
 * - 2 if there was no run;
 * - if no run has a status: 1 if usage, tools or a drift fail the gate, else 0;
 * - 2 if every status is "unchecked";
 * - 1 if the gate fails;
 * - 2 if no run passed, failed or ended in an error, unless conditions in the
 *   assertions skip all of them;
 * - else 0.
 */
struct gate_verdict gate_decide(
    const struct gate *, const struct gate_facts *, struct arena *);
