/*
 * A tally on its way from one mcpl-report to another, as one JSON line: what
 * is counted of some of the records. All is whole numbers and bounded lists in
 * order, so that partials merge to the same tally however the records were
 * split and in whatever order they come. Its members are for mcpl-report
 * alone; the version grows when they change.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "io/out.h"
#include "report/tally/tally.h"
#include "json/json.h"

/* Whether the value says of itself that it is one, whatever the version. */
bool partial_is(const struct json *);

/* Writes a tally before tally_finish. */
void partial_write(struct out *, struct tally *);

/* Adds a partial to a tally. False after a message if that cannot be: another
 * version, another --by, or a member that is not as it was written. */
bool partial_read(
    struct tally *, const struct json *, struct place, struct arena *moment);
