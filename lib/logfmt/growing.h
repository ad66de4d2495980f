/*
 * Logs of requests in which each repeats the messages before it: what of a
 * request's messages is new.
 */
#ifndef GROWING_H
#define GROWING_H

#include "../json.h"

struct growing {
	size_t n; /* messages of the last request; 0: none that goes on */
	uint64_t hash;
	bool failed; /* it did, and may be sent again */
};

/*
 * How many of the messages were told before: 0 if they do not go on where
 * those of the last request ended, and begin another run. Those after them
 * that a model wrote are the response that was logged with that request.
 * answered: this request has one, and the next may go on from it. by_model is
 * NULL where responses stand among the messages alone.
 */
size_t growing_told(struct growing *, const struct json *messages,
    bool answered, bool (*by_model)(const struct json *message));

/*
 * The request got an error for an answer. The same one again, or what goes on
 * from it, is of the same run, if a model's message shows that there is one.
 */
void growing_failed(struct growing *, const struct json *messages,
    bool (*by_model)(const struct json *message));

#endif
