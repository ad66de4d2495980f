/* The part of mcpl-judge that sends, fetches, writes and reads batches. */
#pragma once

#include "cmd/judge_options.h"

/* Sends or fetches batches, if that is all that the options ask for. Returns
 * the exit status, or a negative number if the options ask for something
 * else. */
int judge_batch_talk(struct judge_options *);

/* Makes the scheduler of the options look for answers in batches, or write
 * requests, if the options ask for that. Returns false after a message. */
bool judge_batch_open(struct batch_lookup *, struct judge_options *);

/* Finishes the files that are written, adds the usage, and reports what was
 * done, or why it could not be done. */
void judge_batch_close(struct batch_lookup *, struct scheduler *);
