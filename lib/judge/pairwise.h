/*
 * Compares the runs of two files, A and B, that have the same scenario and
 * prompt: a judge says which of the two meets a rubric better, in both orders,
 * because judges prefer a position (L. Zheng et al., arXiv:2306.05685). The
 * judge does not learn which file a run is from. Of several runs of a scenario,
 * the first of A is compared with the first of B, and so on.
 */
#pragma once

#include "judge/judge.h"

enum pairwise_verdict {
	PAIRWISE_BETTER, /* the run of B, in both orders */
	PAIRWISE_WORSE,
	PAIRWISE_TIE,
	PAIRWISE_INCONSISTENT, /* the orders have different answers */
	PAIRWISE_ERROR,
	PAIRWISE_PENDING, /* not asked */
	PAIRWISE_VERDICTS,
};

struct pairwise {
	/* Set by the caller. */
	struct scheduler *scheduler;
	const struct judge_way *way;
	const struct str *rubrics; /* JSON strings: array of n */
	size_t n;
	struct out *out;

	size_t pairs;
	struct pairwise_counts {
		size_t n[PAIRWISE_VERDICTS];
	} * counts; /* for each rubric */

	/* private */
	struct arena arena;
	struct hash_table partners; /* runs of B, by scenario and prompt */
	struct pairwise_run *runs[2], *last[2];
	struct pair *first, *newest; /* pairs that are asked about, in order */
};

void pairwise_open(struct pairwise *);

/* Adds a run to the file `side` (0: A, 1: B). Returns false after a message if the
 * record is a trace of another version; a record that is no trace is left
 * out. */
bool pairwise_add(
    struct pairwise *, size_t side, const struct json *record, struct place at);

/* Compares the runs, and writes a line for each pair and rubric. Reports the runs
 * that have no partner. */
void pairwise_compare(struct pairwise *);

/* Reports the numbers of verdicts for each rubric, and how often B wins: the
 * rate among the pairs with a winner, its 95 % interval (stats_wilson) and the
 * p-value of the sign test (stats_mcnemar). */
void pairwise_warn(const struct pairwise *);

void pairwise_close(struct pairwise *);
