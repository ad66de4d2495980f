/* Counts the requests that --dry-run does not send. */
#pragma once

#include "judge/scheduler.h"

/* Adds the question's request to the scheduler's counts: its bytes, and
 * estimates of its tokens and cost. A question that was counted before counts as
 * one that the cache answers. */
void dry_run_count(struct scheduler *, struct question *);
