/*
 * Decides the checks of a judged record and writes the record. The result of a
 * check is the majority of its votes, or the reason why there is none.
 */
#pragma once

#include "judge/judge.h"

/* Counts of the checks that were pending, over all records. */
struct vote_tally {
	size_t checks[STATUS_COUNT]; /* by new status */
	size_t unsure;               /* pending: the judge is unsure */
	struct hash_table reasons;   /* why checks have no verdict, with the
				      * number of messages; its arena is the
				      * caller's */
	struct vote_reason *first, *last; /* the same, in order */
};

/* Reports how often each reason came again. vote_write reports a reason with
 * its check the first time only. */
void vote_warn_repeated(const struct vote_tally *);

/*
 * Writes the record with the results of its questions, without a newline;
 * reports what went wrong for a new reason, and counts. Nothing else in the
 * record changes. Returns the status of the run.
 */
enum status vote_write(const struct judge *, const struct endpoint *,
    struct vote_tally *, struct out *);
