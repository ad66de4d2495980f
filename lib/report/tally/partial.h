/*
 * Partials: the counts of some of the records as one JSON line, which one
 * mcpl-report writes and another reads. All members are whole numbers and
 * bounded lists in order, so that partials merge to the same tally however the
 * records were split and in whatever order the partials come. The members are
 * meant for mcpl-report alone; the version grows when they change.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "io/out.h"
#include "report/tally/tally.h"
#include "json/json.h"

/* Returns whether the value claims to be a partial, of any version. */
bool partial_is(const struct json *);

/* Writes a tally on which tally_finish() was not called. */
void partial_write(struct out *, struct tally *);

/* Adds a partial to a tally. Returns false after a message if that is
 * impossible: the partial has another version, was made with another --by, or
 * has a malformed member. */
bool partial_read(
    struct tally *, const struct json *, struct place, struct arena *moment);
