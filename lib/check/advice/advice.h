/*
 * Advice on assertion files: what makes assertions brittle, what a good set of
 * assertions has and this one lacks, and what runs that pass show. The page
 * mcpl-advice(5) has each piece of advice and where it comes from.
 */
#pragma once

#include "check/dialect/spec.h"

/* Findings from runs about the scenarios of a spec. */
struct advice_runs;

/* Returns the record of no runs, in the arena. Both must outlive the result. */
struct advice_runs *advice_runs_new(struct arena *, const struct spec *);

/* Adds a run to the scenarios that apply to the run. A scenario is left out if the
 * run ended in an error, or if a check of severity error failed or is an error. */
void advice_runs_add(struct advice_runs *, const struct trace *);

/* Warns of what was left out, a run once for each scenario, and frees what the
 * arena does not hold. */
void advice_runs_end(struct advice_runs *);

/* Adds the priority of this name ("critical", "error-prevention") to a set of
 * priorities, as bits. Returns false if there is no such priority. */
bool advice_select(unsigned *priorities, struct str name);

/* Writes the advice of these priorities on all files: for each priority a line with
 * the number of its pieces, and a line for each piece, by place. `runs` may be NULL. */
void advise(struct out *, const struct spec *, const struct advice_runs *,
    unsigned priorities);

/* Writes the changes that advice of these priorities makes in the files as a unified
 * diff. What has no comment in its file is explained on standard error. `runs` may be
 * NULL. */
void advise_diff(struct out *, const struct spec *, const struct advice_runs *,
    unsigned priorities);
