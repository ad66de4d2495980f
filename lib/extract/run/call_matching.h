/*
 * Which call a result answers. With an id: the call of that id, the earliest
 * that still waits for a result; ids may repeat, and then those of the latest
 * turn come first. Without: the earliest that waits among those of the name,
 * or among all where the result has no name.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/run.h"

struct call_matching_queue {
	struct step *first, *last; /* calls that wait */
	struct step *latest;       /* with that id, waiting or not */
};

struct call_matching {
	struct hash_table ids, names;
	struct call_matching_queue all;
	struct step *unnamed; /* from it on calls are not in names yet */
	/* The id that was added last, which mostly is answered next, and its
	 * queue: a look at it saves one into the table. */
	struct str newest_id;
	struct call_matching_queue *newest;
	bool lone; /* some result answered no call */
};

/* No calls yet; what it comes to hold is in the arena. */
static inline struct call_matching
call_matching_empty(struct arena *a)
{
	return (struct call_matching){ .ids.arena = a, .names.arena = a };
}

/* Takes note of a call, or of a result that answers none. */
void call_matching_add(struct call_matching *, struct step *);

/* The call that a result with this id (or none) and tool (or none) answers;
 * NULL if there is none. It may have a result already: then this one is told
 * later, and counts. */
struct step *call_matching_answer(
    struct call_matching *, struct str id, struct str tool);

/* The latest call or lone result with the id, or NULL. */
struct step *call_matching_find(const struct call_matching *, struct str id);
/* The same if it is a lone result. */
struct step *call_matching_lone(const struct call_matching *, struct str id);
