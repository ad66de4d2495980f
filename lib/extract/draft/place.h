/* Finds where in a log the runs, turns, steps and calls are. */
#pragma once

#include "extract/draft/words.h"

struct draft_places {
	struct shape *steps; /* NULL: no step was recognised */
	/* The calls in a step, if a step holds a list of them; else the
	 * steps. */
	struct shape *calls;
	struct shape *runs;  /* the steps themselves if each is a piece of a
			      * run */
	struct shape *turns; /* NULL: a run is one turn */
	struct shape *kind;  /* the member of a step that names its kind, or
			      * NULL */
	struct shape *calls_kind; /* the same of the calls, where they are a
				   * list in a step */
};

/* Finds the places in the shape of the records. */
struct draft_places draft_places(struct shape *record);
