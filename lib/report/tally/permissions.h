/*
 * What agents' own permissions made of recorded calls (mcpl-check with a file of
 * permissions): calls by decision, the lines that applied, and the lines that would
 * cover what no line covers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "io/out.h"
#include "report/tally/bounded_map.h"
#include "report/tally/result.h"

enum { TALLY_PERMISSIONS_MAX = 20000 }; /* different lines */

enum tally_decision {
	DECISION_ALLOW,
	DECISION_ASK,
	DECISION_DENY,
	DECISION_NONE, /* no line covers the call */
	DECISION_UNKNOWN,
	DECISIONS,
};

/* Returns "allow", "ask", "deny", "none" or "unknown". */
const char *tally_decision_name(enum tally_decision);

/* The calls of the runs that permissions were tried on. */
struct tally_calls {
	size_t runs;
	size_t calls[DECISIONS];
	size_t open; /* of these, may run commands that no text names */
};

/* A line, by its dialect, place, decision and text. */
struct tally_permission {
	struct bounded_map_item item;
	struct str dialect;
	struct str at; /* FILE:LINE; absent: no file has the line */
	/* as recorded; "none": the line would cover calls that no line covers */
	struct str decision;
	struct str line; /* empty: no line would cover the calls */
	size_t calls, runs;
	size_t unseen; /* calls that the agent, by its own reading, lets pass */
	size_t maybe;  /* more calls, if the shell computes the right word */
	bool irrevocable; /* the line allows what cannot be undone */
	struct bounded_map_text last; /* the time of the last call, RFC 3339 */
	size_t last_run;              /* private: the last run with the line */
};

/* Returns whether the line is in a file. */
bool tally_permission_is_line(const struct tally_permission *);

/* Adds the calls of a run, or of other runs. */
void tally_calls_add(struct tally_calls *, const struct result *);
void tally_calls_merge(struct tally_calls *, const struct tally_calls *);

/* Returns the number of calls. */
size_t tally_calls_all(const struct tally_calls *);

/* Counts the lines of a run in a bounded map of struct tally_permission. `run` is
 * the run's number, different for each run and not 0. */
void tally_permissions_add(struct bounded_map *, const struct result *,
    size_t run, struct arena *, struct arena *moment);

/* Adds a line that another map counted. */
void tally_permission_merge(struct bounded_map *to,
    const struct tally_permission *from, struct arena *, struct arena *moment);

/* Write the member "permissions": the calls by decision, and the lines. They write
 * nothing if there are none. */
void tally_calls_write(struct out *, const struct tally_calls *);
void tally_permissions_write(struct out *, const struct bounded_map *);
