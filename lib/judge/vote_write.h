/* Writes a judged record with the results of its checks, and counts. */
#pragma once

#include "judge/panel.h"
#include "judge/vote.h"

/* Counts of the checks that were pending, over all records. */
struct vote_tally {
	size_t checks[STATUS_COUNT]; /* by new status */
	size_t unsure;               /* pending: the judge is unsure */
	struct panel panel;
	struct agreement again; /* verdicts now, with those before in the place
				 * of people's: --again */
	size_t undecided;       /* checks with a verdict before and none now */
	struct hash_table reasons; /* why checks have no verdict, with the
				    * number of messages; its arena is the
				    * caller's */
	struct vote_reason *first, *last; /* the same, in order */
};

/* Reports how often each reason came again, how well the judges agree, and how
 * the verdicts changed.
 * vote_write reports a reason with its check the first time only. */
void vote_warn_totals(const struct vote_tally *);

/*
 * Writes the record with the results of its questions, without a newline;
 * reports what went wrong for a new reason, and counts. Nothing else in the
 * record changes. Returns the status of the run.
 */
enum status vote_write(const struct judge *, struct vote_tally *, struct out *);
