/* Shows the progress of judging, in a line on the terminal of standard error,
 * unless the records are written to a terminal, too. */
#pragma once

#include "io/in.h"
#include "judge/record_queue.h"

struct progress {
	const struct record_queue *record_queue;
	const struct in *in;

	/* private */
	double begun, shown; /* times */
	int64_t bytes;       /* bytes of all input; negative: unknown */
};

/* Shows the progress from now on, whenever the queue's scheduler ticks, if
 * progress is to be shown. To be called when the input is open, and nothing of
 * it was read. */
void progress_open(
    struct progress *, struct record_queue *, const struct in *, int out);
