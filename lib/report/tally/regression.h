/*
 * The rows of a comparison with a baseline: scenarios, assertions and all runs.
 * A change is tested for significance: with McNemar's test where every run has
 * its pair on the other side, else with Fisher's test, as for a partial, which
 * has no runs. All runs, if not all of several scenarios are paired, are tested
 * by Mantel and Haenszel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/stats.h"
#include "report/tally/assertion.h"
#include "report/tally/behaviour.h"

enum compare_change {
	CHANGE_WORSE,
	CHANGE_GONE,
	CHANGE_BETTER,
	CHANGE_NEW,
	CHANGE_SAME,
	CHANGE_COUNT,
};

/* Returns the name of a change: "worse". */
const char *compare_change_name(enum compare_change);

enum compare_test {
	COMPARE_FISHER,
	COMPARE_MCNEMAR,
	COMPARE_MANTEL_HAENSZEL,
};

/* Returns the name of a test: "Fisher". */
const char *compare_test_name(enum compare_test);

/* The meaning of a row that is worse or better. */
enum compare_evidence {
	EVIDENCE_NONE, /* not asked for, or nothing changed */
	EVIDENCE_SIGNIFICANT,
	EVIDENCE_NOISE,
	EVIDENCE_FEW, /* even a loss of all runs would not be significant */
};

struct compare_row {
	enum compare_change change;
	enum compare_evidence evidence;
	bool regression; /* gone; or worse, and more than noise */
	/* s is NULL: absent; the agent is absent in the row of an assertion */
	struct str scenario, agent;
	/* of either side; NULL: the row is of runs */
	const struct assertion *assertion;
	size_t passed[2], n[2]; /* runs or results, without unchecked ones */
	size_t pairs;           /* 0: unpaired, so that the test is Fisher's */
	size_t lost, gained;    /* pairs that passed only before, or only now */
	enum compare_test test;
	double p; /* of the test; NAN if a side has nothing, as for the next */
	struct stats_interval difference; /* of the rates, now minus was */
	size_t rows;   /* of all runs: the rows that both sides have */
	uint64_t hash; /* private: of the row's key */
};

struct compare_rows {
	/* regressions first, then by change, then by scenario, agent and
	 * place */
	struct compare_row *list;
	size_t n;
	size_t change[CHANGE_COUNT]; /* the number of rows with each change */
	size_t regressions;
	size_t noise; /* rows that are worse, but no regressions */
	bool more;    /* there are other assertions, which were not counted */
};

/* Sets the row's change, test, p and interval. */
void regression_test(struct compare_row *);

/* Sums up the rows of scenarios as one row, and tests those that both sides
 * have, each by itself. */
void regression_test_all(
    struct compare_row *all, const struct compare_rows *rows);

/*
 * Sets evidence and regression of all rows, which are one family: with an alpha
 * below 1, that is the probability that some row is a regression if nothing
 * changed. The row of all runs is one of them if it sums up several. A row is
 * tested if some result of as many runs with as many hits could be significant
 * (R. E. Tarone, Biometrics 46, 1990), and these are tested by the method of
 * S. Holm (1979).
 */
void regression_decide(struct compare_rows *scenarios,
    struct compare_rows *assertions, struct compare_row *all, double alpha);
