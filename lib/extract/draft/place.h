/* Finds where in a log the runs, turns, steps and calls are. */
#pragma once

#include "extract/draft/words.h"

enum { DRAFT_CHOICES_MOST = 64 };

struct draft_places {
	struct shape *steps;
	/* The calls in a step, if a step holds a list of them; else the
	 * steps. */
	struct shape *calls;
	struct shape *results; /* the same of results; NULL: no such list */
	struct shape *runs;    /* the steps themselves if each is a piece of a
			        * run */
	struct shape *turns;   /* NULL: a run is one turn */
	struct shape *kind;    /* the member of a step that names its kind, or
			        * NULL */
	struct shape *role; /* the member that says who speaks, where the kind
			     * does not; or NULL */
	struct shape *calls_kind; /* the same of the calls, where they are a
				   * list in a step */
	/* The elements of a list around the steps of which only the last is
	 * read; NULL: none. */
	struct shape *last;
	bool beside; /* what is expected of the agent stands beside */
};

/* Places that may be right, the likeliest first. */
struct draft_choices {
	struct draft_places list[DRAFT_CHOICES_MOST];
	size_t n;
};

/* Finds the places in the shape of the records. What is expected of an agent is no
 * place. */
void draft_places(struct shape *record, struct draft_choices *);

/* Returns whether the name of the shape, or of one that holds the shape, says that the
 * values are not what an agent did but what is expected. */
bool draft_is_wanted(const struct shape *);

/* Returns what the elements look like, "calls" or "messages"; or NULL. In steps, texts
 * are no messages. */
const char *draft_looks_like(struct shape *, bool in_steps);
