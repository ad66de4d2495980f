/* Reads the chunks in which OpenAI's Chat Completions, and all compatible
 * servers, stream a response. */
#pragma once

#include "extract/run/builder.h"

enum { OPENAI_CALLS_MAX = 128 }; /* in one response */

/* The response whose chunks are being read, in one run; initialized by
 * zeroes. */
struct openai_chunks {
	struct str calls[OPENAI_CALLS_MAX]; /* bodies of the ids, by index */
};

/* The members of a chunk; NULL: absent. */
struct openai_chunk {
	const struct json *id, *created, *model, *choices, *error;
	const struct json *counts; /* of the response; counts of a choice stay
				    * in the choice */
};
struct openai_chunk openai_chunk_of(const struct json *);

/* Returns whether the chunk is part of the response itself. Chunks before the
 * response, which report prompt filters, and chunks of a failed request are
 * not. */
bool openai_chunk_is_response(const struct openai_chunk *);

/* Reports what the chunk adds to the response, and the usage so far under
 * `key`. Returns whether the response ended with this chunk. */
bool openai_chunk_read(struct openai_chunks *, struct builder *,
    const struct openai_chunk *, struct str key);
/* Reads a response whose chunks are in a list; the run is marked as broken if
 * the end of the response is missing. */
void openai_chunks_read(struct builder *, const struct json *list);
/* Returns whether the value is a list with a chunk in it. */
bool openai_chunks_are(const struct json *list);
