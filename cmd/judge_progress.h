/* Shows the progress of judging in a line on standard error, if that is a
 * terminal and the records do not go to a terminal, too. */
#pragma once

#include "io/in.h"
#include "judge/record_queue.h"

struct progress {
	const struct record_queue *record_queue;
	const struct in *in;

	/* private */
	double begun, shown; /* times of clock_now */
	int64_t bytes;       /* of all input; negative: unknown */
};

/* Shows the progress from now on, whenever the scheduler calls `tick`, if it
 * is to be shown at all. The input must be open and nothing read yet. */
void progress_open(
    struct progress *, struct record_queue *, const struct in *, int out);
