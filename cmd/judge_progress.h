/* Shows a progress line on standard error, if standard error is a terminal and
 * the records are not written to a terminal. */
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

/* Makes the scheduler call `tick`, which shows the progress line, unless the
 * line must not be shown. The input must be open and unread. `out` is the file
 * descriptor of the output. */
void progress_open(
    struct progress *, struct record_queue *, const struct in *, int out);
