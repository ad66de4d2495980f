/* The calls that an agent's spans tell: which of them a model's message, or a
 * tool's span, means. */
#pragma once

#include "base/hash.h"
#include "json/json.h"

enum {
	/* So many calls that wait are looked at, and so many tools, to find
	 * one: more than an agent has at once. */
	SPAN_LOOK_MAX = 1000,
};

/* Calls that wait for something. */
enum span_queue {
	SPAN_ASKED,      /* told by a model, but not by a tool's span */
	SPAN_RAN,        /* the other way */
	SPAN_UNANSWERED, /* for a result */
	SPAN_QUEUES,
};

struct span_waits {
	struct span_wait *first, *last;
};

/* A call that is known. */
struct span_call {
	struct str id, tool; /* bodies */
	const struct json *args;
	bool asked;    /* a model's message tells it */
	bool heard;    /* ... and did so first */
	bool said;     /* ... as a model's answer, not as it was told */
	bool ran;      /* a tool's span tells it */
	bool answered; /* its result was told */
	size_t list;   /* of messages, which had it first */
	struct span_call *next; /* with the same id; in a ring */
};

/* Zeroed with an arena is ready. */
struct span_calls {
	struct arena *arena;
	struct hash_table ids; /* in the arena */
	size_t list;           /* of messages, that is read: counts up */

	/* private */
	struct span_waits waits[SPAN_QUEUES];
};

/* What one side says of a call: the arguments plain (chat_value). NULL:
 * nothing; of a call that is looked for, anything. */
struct span_side {
	const struct json *id, *tool, *args;
};

struct span_call *span_call_add(struct span_calls *, const struct span_side *);

/* One side tells the call; then it waits for the other to tell it too. */
void span_call_emitted(
    struct span_calls *, struct span_call *, enum span_queue);

/* From now on the id (a body) is that of the call. */
void span_call_name(struct span_calls *, struct str id, struct span_call *);

/* The call of that id whose result comes next, or NULL. */
struct span_call *span_call_due(
    const struct span_calls *, const struct json *id);

/*
 * The call with the side's id that a message means, or NULL if it is a new one.
 * before: the message was told to a model, and may be known. Some servers of
 * models give an id again. The side's arguments are filled in where they are
 * needed, from those of the message, and if the call is new.
 */
struct span_call *span_call_meant(struct span_calls *, struct span_side *,
    const struct json *args, bool before);

/* The call with the side's id that a tool's span tells, or NULL if it is a new
 * one. The side's arguments are filled in as above. */
struct span_call *span_call_run(
    struct span_calls *, struct span_side *, const struct json *args);

/* A call that waits: one with the same arguments, else the first; NULL if there
 * is none. */
struct span_call *span_call_find(
    struct span_calls *, enum span_queue, const struct span_side *);
