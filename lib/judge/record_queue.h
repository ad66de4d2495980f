/*
 * Records on their way through the judge: they leave in the order in which
 * they came, each as soon as it and all before it are done, or without order.
 * No more than a window of them is held.
 */
#pragma once

#include "judge/calibration.h"
#include "judge/judge.h"

struct record_queue {
	/* Set by the caller. */
	struct scheduler *scheduler; /* NULL: nobody to ask, all pass through */
	struct judge_way way;
	bool unordered;                  /* each leaves as soon as it is done */
	struct calibration *calibration; /* NULL: records are written; else
	                                  * compared with labels */
	struct out *out;

	/* What went through. */
	struct judge_tally tally;
	size_t runs, checks; /* that were pending */
	size_t foreign;      /* records that are no traces */
	bool bad;            /* a run is failed or error */

	/* private */
	struct record_queue_entry *first, **last; /* those held, in order */
	struct record_queue_entry *spare;
	struct arena arena; /* of the entries */
	size_t n, window;
};

void record_queue_open(struct record_queue *);

/* Takes a record; it may be gone after the call. False if it is a trace of
 * another version, which was told. */
bool record_queue_add(
    struct record_queue *, const struct json *record, struct place at);

/* Goes on until `fd` can be read, with what is finished written and flushed;
 * false if an interrupt came first. */
bool record_queue_idle(struct record_queue *, int fd);

/* Finishes and writes all that is held, and frees. */
void record_queue_close(struct record_queue *);
