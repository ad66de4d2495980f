/* The options --batch-* of mcpl-judge. */
#pragma once

#include "cmd/judge_options.h"

/* Sends or fetches batches if --batch-send or --batch-poll is given. Returns the
 * exit status, or a negative number if neither option is given. */
int judge_batch_run(struct judge_options *);

/* With --batch-read or --batch-write, prepares the options' scheduler to answer
 * questions from batches or to write requests. Returns false after a message if
 * the folder or the results cannot be opened. */
bool judge_batch_open(struct batch_lookup *, struct judge_options *);

/* Completes the files that are being written, adds the usage of the batches to
 * the scheduler's usage, and reports the numbers of requests. */
void judge_batch_close(struct batch_lookup *, struct scheduler *);
