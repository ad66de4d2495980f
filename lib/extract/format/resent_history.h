/*
 * Logs of requests in which each repeats the messages before it: what of a
 * request's messages is new. Requests of several runs may stand among each
 * other's.
 */
#pragma once

#include "extract/run/builder.h"

/* A request's messages. */
struct resent_history {
	const struct json *messages;
	size_t n; /* so many of them, the first, were told before */

	/* private: so many have this hash */
	size_t hashed;
	uint64_t hash;
};

/*
 * How many of the messages were told before, of a run that is open then: 0 if
 * they do not go on where those of a request before ended, and begin another
 * run. Those after them that a model wrote are the response that was logged
 * with that request. by_model is NULL where responses stand among the messages
 * alone.
 */
struct resent_history resent_history_emitted(struct builder *,
    const struct json *messages, bool (*by_model)(const struct json *message));

/* The run that is open has been told so far. If the request was answered the
 * next may go on from it. */
void resent_history_note(
    struct builder *, const struct resent_history *, bool answered);

/*
 * The request got an error for an answer. The same one again, or what goes on
 * from it, is of the same run, if a model's message shows that there is one.
 */
void resent_history_failed(struct builder *, const struct resent_history *,
    bool (*by_model)(const struct json *message));

/* Requests that name the answer before them rather than repeat it. Whether a run
 * was told that ends with the answer of that id (a body); it is open then. */
bool resent_history_follows(struct builder *, struct str id);

/* The run that is open ends with the answer of that id. */
void resent_history_answer(struct builder *, struct str id);

/* How many items of that answer were told, for the format to count: one that is
 * asked for again has them again. 0 at first. */
size_t *resent_history_items(struct builder *);
