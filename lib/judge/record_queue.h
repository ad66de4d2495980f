/*
 * Records on their way through the judge: they leave in the order in which
 * they came, each as soon as it and all before it are done, or without order.
 * No more than a window of them is held.
 */
#ifndef LINEUP_H
#define LINEUP_H

#include "judge/calibration.h"
#include "judge/judge.h"

struct lineup {
	/* Set by the caller. */
	struct asker *asker; /* NULL: nobody to ask, all pass through */
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
	struct lineup_entry *first, **last; /* those held, in order */
	struct lineup_entry *spare;
	struct arena arena; /* of the entries */
	size_t n, window;
};

void lineup_open(struct lineup *);

/* Takes a record; it may be gone after the call. False if it is a trace of
 * another version, which was told. */
bool lineup_add(struct lineup *, const struct json *record, struct place at);

/* Goes on until `fd` can be read, with what is finished written and flushed;
 * false if an interrupt came first. */
bool lineup_idle(struct lineup *, int fd);

/* Finishes and writes all that is held, and frees. */
void lineup_close(struct lineup *);

#endif
