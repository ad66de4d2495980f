/*
 * Which call a result answers. With an id: the call of that id, the earliest
 * that still waits for a result; ids may repeat, and then those of the latest
 * turn come first. Without: the earliest that waits among those of the name,
 * or among all where the result has no name.
 */
#ifndef PAIRING_H
#define PAIRING_H

#include "base/hash.h"
#include "extract/run/run.h"

struct pairing_queue {
	struct step *first, *last; /* calls that wait */
	struct step *latest;       /* with that id, waiting or not */
};

struct pairing {
	struct hash_table ids, names;
	struct pairing_queue all;
	struct step *unnamed; /* from it on calls are not in names yet */
	/* The id that was added last, which mostly is answered next, and its
	 * queue: a look at it saves one into the table. */
	struct str newest_id;
	struct pairing_queue *newest;
	bool lone; /* some result answered no call */
};

/* No calls yet; what it comes to hold is in the arena. */
static inline struct pairing
pairing_empty(struct arena *a)
{
	return (struct pairing){ .ids.arena = a, .names.arena = a };
}

/* Takes note of a call, or of a result that answers none. */
void pairing_add(struct pairing *, struct step *);

/* The call that a result with this id (or none) and tool (or none) answers;
 * NULL if there is none. It may have a result already: then this one is told
 * later, and counts. */
struct step *pairing_answer(struct pairing *, struct str id, struct str tool);

/* The latest call or lone result with the id, or NULL. */
struct step *pairing_find(const struct pairing *, struct str id);
/* The same if it is a lone result. */
struct step *pairing_lone(const struct pairing *, struct str id);

#endif
