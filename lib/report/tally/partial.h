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

/* The first bytes of a partial. */
#define PARTIAL_BEGINS "{\"type\":\"partial\","
/* The first bytes of a file with the runs of a partial. */
#define PARTIAL_RUNS_BEGINS "{\"type\":\"runs\","

/* Returns whether the value claims to be a partial, of any version. */
bool partial_is(const struct json *);

/* Writes a tally on which tally_finish() was not called. runs: the single runs, and, as
 * its name, the file beside the partial that has them; NULL: no file has them. */
void partial_write(struct out *, struct tally *, const struct part *runs);

/* Writes the first line of a file with the runs of the partial in that file, by which the
 * file is known. */
void partial_runs_begin(struct out *, struct str partial);
/* Returns whether the value is such a line. */
bool partial_runs_begins(const struct json *);

/* Fills in which single runs belong to the partial, and the name of their file. Returns
 * false if the partial has none. */
bool partial_runs(const struct json *, struct part *, struct arena *);

/* Adds a partial to a tally. Returns false after a message if that is
 * impossible: the partial has another version, was made with another --by, or
 * has a malformed member. */
bool partial_read(
    struct tally *, const struct json *, struct place, struct arena *moment);

/* Adds what a partial says beside its counts of runs, which the caller adds from the
 * single runs: the parts, and the values that are no runs. Returns false after a message
 * if that is impossible. */
bool partial_read_parts(
    struct tally *, const struct json *, struct place, struct arena *moment);
