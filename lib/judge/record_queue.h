/*
 * Passes records through the judge. They leave in the order in which they
 * came, each as soon as it and all records before it are done, or in any
 * order. Only as many records are read as keep the judge busy, and the memory of
 * those that are held, because they or earlier records are not done, is limited.
 */
#pragma once

#include "judge/calibration.h"
#include "judge/vote_write.h"
#include "trace/seal.h"

struct record_queue {
	/* Set by the caller. */
	struct scheduler *scheduler; /* NULL: there is no judge, and all
				      * records pass through */
	struct judge_way way;
	bool verdicts;    /* also look at the verdicts of
					  * records that pass through */
	bool unordered;   /* each record leaves as soon as it is
					  * done */
	size_t most_held; /* bytes of records that are held, beyond
					  * which no other record is taken */
	struct calibration *calibration; /* NULL: records are written;
					  * otherwise they are compared with
					  * labels */
	bool sealed; /* seals of the input do not pass through */
	struct out *out;

	/* Counts of what passed through. */
	struct vote_tally tally;
	size_t runs, checks; /* runs with pending checks, and their pending
			      * checks */
	size_t decided;      /* checks that a judge decided before */
	size_t unnamed;      /* pending checks for which no judge is named,
			      * though a service of measures is */
	size_t errors;       /* errors of a judge that are not asked about
			      * again */
	size_t traces;       /* runs, with or without checks */
	size_t checked;      /* runs that have checks */
	size_t evolve;       /* of the pending checks: those of evolve */
	size_t foreign;      /* records that are not traces */
	struct seal_count seals;
	bool bad; /* a run that was judged, or with `verdicts` any run,
			      * is failed or error */

	/* private */
	struct record_queue_entry *first, *last; /* records that are held, in
						   * order */
	struct record_queue_entry *spare;
	size_t n_spare;
	struct arena arena; /* of the entries */
	size_t held;        /* bytes */
};

void record_queue_open(struct record_queue *);

/* Takes a record, which need not outlive the call. Returns false after a
 * message if the record is a trace of another version. */
bool record_queue_add(
    struct record_queue *, const struct json *record, struct place at);

/* Works until `fd` can be read, and writes and flushes records that are done.
 * Returns false if an interrupt came first. */
bool record_queue_idle(struct record_queue *, int fd);

/* Completes and writes all records that are held, and frees the queue. */
void record_queue_close(struct record_queue *);
