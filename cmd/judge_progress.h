/* How far the judging is, in a line on the terminal that standard error is,
 * unless the records go to a terminal as well. */
#pragma once

#include "io/in.h"
#include "judge/record_queue.h"

struct progress {
	const struct record_queue *record_queue;
	const struct in *in;

	/* private */
	double begun, shown; /* times */
	int64_t bytes;       /* of all input; negative: nobody knows */
};

/* Shows it from now on, whenever the lineup's asker ticks, if it is to be
 * shown; the input was opened, and nothing read of it. */
void progress_open(
    struct progress *, struct record_queue *, const struct in *, int out);
