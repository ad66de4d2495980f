/*
 * Chunks in which OpenAI's Chat Completions and all that speak like it stream
 * a response.
 */
#ifndef OPENAI_CHUNK_H
#define OPENAI_CHUNK_H

#include "builder.h"

enum { OPENAI_CALLS_MAX = 128 }; /* of one response */

/* A response of which chunks come, in one run; zeroed is ready. */
struct openai_chunks {
	struct str calls[OPENAI_CALLS_MAX]; /* bodies: their ids, by index */
};

/* Whether it is a chunk. */
bool openai_chunk_is(const struct json *);

/* Whether it is of the response itself: what is said before it of the filters
 * that the prompt went through, and how a request failed, is not. */
bool openai_chunk_says(const struct json *);

/*
 * Tells the builder what the chunk adds to the response, and what was used so
 * far, under that key. Whether the response ended with it.
 */
bool openai_chunk_read(struct openai_chunks *, struct builder *,
    const struct json *chunk, struct str key);
/* The same of a response whose chunks were put into a list; it is cut where
 * its end is not among them. */
void openai_chunks_read(struct builder *, const struct json *list);
/* Whether it is such a list. */
bool openai_chunks_are(const struct json *list);

#endif
