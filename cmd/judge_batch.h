/* The part of mcpl-judge that handles batches, as its options say. */
#pragma once

#include "cmd/judge_options.h"

/* Sends or fetches batches if an option asks for that. Returns the exit
 * status; negative: no such option. */
int judge_batch_run(struct judge_options *);

/* Prepares the options' scheduler to answer questions from batches or to write
 * requests, if an option asks for that. Returns false after a message if that
 * fails. */
bool judge_batch_open(struct batch_lookup *, struct judge_options *);

/* Completes the files that are being written, adds the usage to the
 * scheduler's, and reports what was done. */
void judge_batch_close(struct batch_lookup *, struct scheduler *);
