/*
 * Finds the call that a result answers. A result with an id answers the earliest
 * waiting call with that id in the latest turn that has such a call; if none
 * waits there, the result replaces that of the latest call with the id.
 *
 * Only where the log's format says that results may lack ids does a result that
 * names no known id answer the earliest waiting call of its tool, or of any tool
 * if the result names none, in the latest turn, or the latest message, that has
 * such a call; a result with an id then answers only a call without one.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/run.h"

/* The call that a result answers which names no call's id. */
enum unidentified {
	UNIDENTIFIED_NONE,       /* none: all results have ids */
	UNIDENTIFIED_BY_MESSAGE, /* the first of the latest message with calls */
	UNIDENTIFIED_IN_ORDER,   /* the first of the turn */
};

struct call_matching_queue {
	struct step *first, *last; /* waiting calls */
	struct step *latest;       /* call with that id, waiting or not */
};

struct call_matching {
	struct hash_table ids, names;
	struct call_matching_queue all;
	size_t message; /* number of the message that the next call is in */
	struct step *unnamed; /* first call that is not in `names` yet */
	/* The id that was added last and its queue. The next result usually has
	 * this id, so that a lookup in the table is saved. */
	struct str newest_id;
	struct call_matching_queue *newest;
	bool lone;  /* at least one result answered no call */
	bool early; /* of at least one call only a later part was logged */
};

/* Returns a matching without calls, whose memory comes from the arena. */
static inline struct call_matching
call_matching_empty(struct arena *a)
{
	return (struct call_matching){ .ids.arena = a, .names.arena = a };
}

/* Begins a message: calls before that wait for results wait no longer for those
 * without ids, once the message has a call. */
static inline void
call_matching_message(struct call_matching *p)
{
	p->message++;
}

/* Adds a call, or a result that answers no call. */
void call_matching_add(struct call_matching *, struct step *);

/* Returns the call, or the result without a call, that a result with this id
 * (or none) and tool (or none) answers, or NULL. The call may have a result
 * already; then the new result replaces it. */
struct step *call_matching_answer(
    struct call_matching *, struct str id, struct str tool, enum unidentified);

/* Gives the call that was added last, which has an id, another id. */
void call_matching_also(struct call_matching *, struct str id);

/* Returns the latest call, or result without a call, that has the id; else
 * NULL. */
struct step *call_matching_find(const struct call_matching *, struct str id);
/* Like call_matching_find, but returns only a result without a call. */
struct step *call_matching_lone(const struct call_matching *, struct str id);
/* Like call_matching_find, but returns only what a call that the log records
 * later may complete: a result without a call, or an early call. */
struct step *call_matching_unfinished(
    const struct call_matching *, struct str id);
