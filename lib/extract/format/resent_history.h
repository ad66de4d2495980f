/*
 * Requests that repeat the messages of the requests before them: finds the
 * messages of a request that are new. Requests of several runs may be
 * interleaved.
 */
#pragma once

#include "extract/run/builder.h"

/* The messages of a request. */
struct resent_history {
	const struct json *messages;
	/* Number of messages, from the first, that were read before. */
	size_t n;

	/* private: the hash of the first `hashed` messages */
	size_t hashed;
	uint64_t hash;
};

/* Finds the run that the request continues, whose noted messages are the longest
 * beginning of `messages`, and makes this run the open one. `n` of the result is
 * the number of messages that were read before; the messages directly behind them
 * for which by_model returns true are the logged response, and count as read.
 * by_model is NULL where the log has responses in lists of messages only. If the
 * request continues no run, n is 0, and the caller begins a new run. */
struct resent_history resent_history_emitted(struct builder *,
    const struct json *messages, bool (*by_model)(const struct json *message));

/* Notes that the open run was read up to the end of these messages. If the
 * request was answered, a later request may continue it. */
void resent_history_note(
    struct builder *, const struct resent_history *, bool answered);

/* Notes that the request got an error for an answer. The same request again, or
 * one that continues it, belongs to the same run, if a model's message shows
 * that there is a run. */
void resent_history_failed(struct builder *, const struct resent_history *,
    bool (*by_model)(const struct json *message));

/* For requests that name the answer before them rather than repeat it. Returns
 * whether there is a run that ends with the answer of this id (a body); that
 * run is open then. */
bool resent_history_follows(struct builder *, struct str id);

/* Notes that the open run ends with the answer of this id. */
void resent_history_answer(struct builder *, struct str id);

/* Returns the counter of the items of that answer that were read, which the
 * format maintains: an answer that is asked for again has them again. 0 at
 * first. */
size_t *resent_history_items(struct builder *);
