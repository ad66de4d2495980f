/*
 * A message of PromptKit Arena: results spell its members small, recordings as
 * in Go.
 */
#pragma once

#include "base/hash.h"
#include "extract/format/format.h"

/* What was told of a run so far that the next message may hang on. */
struct promptkit_reason {
	const struct json *state;  /* of the workflow; NULL: not told yet */
	const struct json *events; /* ... and where they lead from it */
	size_t moves;              /* calls since that are to move it on */
	const struct json *event;  /* ... of the only one */
	double asked; /* the index of the user's message before; NAN: none */
	struct log *log;
	struct hash_table *ran; /* what events tell of calls, by their ids */
};

/* What came of a call, as its events tell. */
struct promptkit_ran {
	double ms;
	const struct json *is_error;
};

/* Tells of one, and when it was. */
void promptkit_message_read(struct builder *, const struct json *message,
    const struct json *ts, struct promptkit_reason *);
