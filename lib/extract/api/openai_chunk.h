/*
 * Chunks in which OpenAI's Chat Completions and all that speak like it stream
 * a response.
 */
#pragma once

#include "extract/run/builder.h"

enum { OPENAI_CALLS_MAX = 128 }; /* of one response */

/* A response of which chunks come, in one run; zeroed is ready. */
struct openai_chunks {
	struct str calls[OPENAI_CALLS_MAX]; /* bodies: their ids, by index */
};

/* Whether it is a chunk. */
bool openai_chunk_is(const struct json *);

/* What it tells; NULL is what it has not. */
struct openai_chunk {
	const struct json *id, *created, *model, *choices, *error;
	const struct json *counts; /* of the response; of a choice they stand
	                            * there */
};
struct openai_chunk openai_chunk_of(const struct json *);

/* Whether it is of the response itself: what is said before it of the filters
 * that the prompt went through, and how a request failed, is not. */
bool openai_chunk_says(const struct openai_chunk *);

/*
 * Tells the builder what the chunk adds to the response, and what was used so
 * far, under that key. Whether the response ended with it.
 */
bool openai_chunk_read(struct openai_chunks *, struct builder *,
    const struct openai_chunk *, struct str key);
/* The same of a response whose chunks were put into a list; it is cut where
 * its end is not among them. */
void openai_chunks_read(struct builder *, const struct json *list);
/* Whether it is such a list. */
bool openai_chunks_are(const struct json *list);
