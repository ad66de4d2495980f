/* The calls of an agent: finds the call that a model's message or a tool's span
 * refers to. */
#pragma once

#include "base/hash.h"
#include "json/json.h"

enum {
	/* Number of waiting calls, and of tools, to search: more than an agent
	 * has at once. */
	SPAN_LOOK_MAX = 1000,
};

/* Queues of calls that wait. */
enum span_queue {
	SPAN_ASKED,      /* reported by a model, not yet by a tool's span */
	SPAN_RAN,        /* reported by a tool's span, not yet by a model */
	SPAN_UNANSWERED, /* without a result */
	SPAN_UNMET,      /* in a model's answer, not yet in a later input */
	SPAN_QUEUES,
};

struct span_waits {
	struct span_wait *first, *last;
};

/* A known call. */
struct span_call {
	struct str id, tool; /* bodies */
	const struct json *args;
	bool reported; /* the call itself, not only its result, was reported */
	bool asked;    /* a model's message has it */
	bool by_message; /* a model's message had it first */
	bool by_answer;  /* that message was the model's own answer */
	bool ran;        /* a tool's span has it */
	bool answered;   /* its result was reported */
	bool met;        /* a later input had it */
	size_t list;     /* number of the list of messages that had it first */
	struct span_call *next; /* next call with the same id; a ring */
};

/* Initialized by zeroes and an arena. */
struct span_calls {
	struct arena *arena;
	struct hash_table ids; /* in the arena */
	size_t list;           /* number of the current list of messages; counts
			        * up */

	/* private */
	struct span_waits waits[SPAN_QUEUES];
	struct hash_table others; /* other ids of calls, to the calls' ids */
};

/* A call as one side reports it; args is a plain value (chat_value). NULL: not
 * known, or in a search, any. */
struct span_side {
	const struct json *id, *tool, *args;
};

struct span_call *span_call_add(struct span_calls *, const struct span_side *);

/* Notes that one side reported the call, which then waits for the other
 * side. */
void span_call_emitted(
    struct span_calls *, struct span_call *, enum span_queue);

/* Notes that a model's answer has the call, which a later input repeats. */
void span_call_answer(struct span_calls *, struct span_call *);

/* Gives an id (a body) to a call that has none. */
void span_call_name(struct span_calls *, struct str id, struct span_call *);

/* Gives the call, which has an id, another id (a body). */
void span_call_other_id(struct span_calls *, struct str id, struct span_call *);

/* Returns the id that was given to the call first: `id` itself, unless the call
 * got this id by span_call_other_id. */
const struct json *span_call_first_id(
    const struct span_calls *, const struct json *id);

/* Returns whether there is a call with this id. */
bool span_call_is_known(const struct span_calls *, const struct json *id);

/* Returns the call of a model's answer that no input had so far and that has
 * this tool and these arguments (a plain value), or NULL. */
struct span_call *span_call_unmet(
    struct span_calls *, const struct json *tool, const struct json *args);

/* Returns the call with the id whose result comes next, or NULL. */
struct span_call *span_call_due(
    const struct span_calls *, const struct json *id);

/* Looks for the call that a message names by the id in `side`. Returns the
 * call, or NULL if the call is new. before: the message was given to a model and
 * may be a repetition. Some model servers reuse ids. Fills in the side's
 * arguments from `args` if they are needed or if the call is new. */
struct span_call *span_call_of_message(struct span_calls *, struct span_side *,
    const struct json *args, bool before);

/* Looks for the call that a tool's span names by the id in `side`. Returns the
 * call, or NULL if the call is new. Fills in the side's arguments as
 * span_call_of_message does. */
struct span_call *span_call_of_span(
    struct span_calls *, struct span_side *, const struct json *args);

/* Returns a waiting call: the first with the same arguments, else the first,
 * else NULL. */
struct span_call *span_call_find(
    struct span_calls *, enum span_queue, const struct span_side *);
