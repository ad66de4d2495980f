/* The decisions about the calls of a run, for this folder and check/advice. */
#pragma once

#include "check/permission/permission.h"

/* The ways in which a line applies to a call. */
enum permission_sight {
	PERMISSION_MAYBE,  /* if the shell computes the right word */
	PERMISSION_UNSEEN, /* by what bash runs */
	PERMISSION_SEEN,   /* by the agent's own reading */
	PERMISSION_SIGHTS,
};

/* The calls to which a line applies in one way. */
struct permission_calls {
	size_t n, first; /* first: its number in the view */
	const struct permission_hit *hit;
	struct str command; /* of the first, around the part */
};

/* The calls of a run to which a line applies. */
struct permission_use {
	struct permission_calls by[PERMISSION_SIGHTS];
	size_t last;     /* call that the line surely applies to */
	struct str *ran; /* different unseen parts, the first of them */
	size_t nran;
	size_t call; /* the last one that was looked at, from 1 */
	enum permission_sight best; /* ... to which the line applies so */
};

/* Calls that would be covered by the same line. */
struct permission_covered {
	struct permission_cover cover;
	size_t n, last; /* last: the last one, from 1 */
	/* Calls of which the agent would not ask if lines that allow nothing
	 * irrevocable covered them. */
	size_t spared;
	bool various; /* the calls differ in `cover.exact` */
};

/* The calls that no line decides and that the agent decides in the same way. */
struct permission_rest {
	size_t n, first, last;
	struct str why; /* of the first */
	struct permission_covered **covers;
	size_t ncovers;
};

/* A set's decisions about the calls of a run. */
struct permission_run {
	const struct permission_set *set;
	struct permission_run *next;
	struct permission_use *uses; /* by line */
	struct permission_rest rest[PERMISSIONS];
	size_t counts[PERMISSIONS];
	size_t ncalls;
	size_t open;    /* calls that may run commands that nobody can name */
	size_t unknown; /* calls that could not be decided */
	struct str why; /* of the first of these */
};

/* Returns the decisions about the view's run, which are made once; for a guard, about the
 * call that a hook asks about alone. */
const struct permission_run *permission_run_of(
    const struct permission_set *, struct view *);

/* Notes the lines that applied in the run, for permission_warn_idle. */
void permission_note_applied(const struct permission_run *, struct view *);
