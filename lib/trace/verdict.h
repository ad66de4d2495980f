/*
 * The verdict on a run: from its `status` and its check_results, so that a result
 * which another program added counts as well. See status in
 * mcpl-trace(5).
 */
#pragma once

#include "trace/trace.h"

/* Returns whether a check result counts for the status of its run: a result of
 * severity `warning` or `note` does not. */
bool verdict_counts(const struct json *result);

/* Returns the status of a check result, or of a run: any value that is no
 * status is an error. */
enum status verdict_status(const struct json *status);

/* Writes an element of the run's `failures` if the check result counts and the
 * status, which may be newer than the result's own, is failed or error. The
 * element is the reason; if that is absent, the result's own reason, else its
 * label. */
void verdict_put_failure(struct out *, const struct json *result, enum status,
    struct str reason, struct arena *);

/* Adds the check_results that count to the numbers of results with each
 * status. A value that is no list is an error. */
void verdict_count(const struct trace *, size_t counts[STATUS_COUNT]);

/* Sets *verdict to the verdict on the run. Returns false if the run has none:
 * it has neither a status nor a check result. */
bool verdict_of(const struct trace *, enum status *verdict);
