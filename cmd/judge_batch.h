/* What mcpl-judge does about batches, as its options say. */
#pragma once

#include "cmd/judge_options.h"

/* Sends or fetches batches, if the options say so and nothing else. The exit
 * status; negative: they do not. */
int judge_batch_talk(struct judge_options *);

/* Has the options' asker look for answers in batches, or write requests, if it
 * is to. False after a message. */
bool judge_batch_open(struct batch_lookup *, struct judge_options *);

/* Finishes what is written, adds what was used, and tells what was done, or that
 * it could not be. */
void judge_batch_close(struct batch_lookup *, struct scheduler *);
