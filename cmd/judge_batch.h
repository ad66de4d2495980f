/* What mcpl-judge does about batches, as its options say. */
#ifndef JUDGE_BULK_H
#define JUDGE_BULK_H

#include "cmd/judge_options.h"

/* Sends or fetches batches, if the options say so and nothing else. The exit
 * status; negative: they do not. */
int judge_bulk_talk(struct judge_options *);

/* Has the options' asker look for answers in batches, or write requests, if it
 * is to. False after a message. */
bool judge_bulk_open(struct bulk_desk *, struct judge_options *);

/* Finishes what is written, adds what was used, and tells what was done, or that
 * it could not be. */
void judge_bulk_close(struct bulk_desk *, struct asker *);

#endif
