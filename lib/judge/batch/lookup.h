/*
 * Answers questions from the results of batches, and writes unanswered
 * questions as requests of a new batch. A result is treated like a direct
 * reply, and is stored in the cache, too.
 */
#pragma once

#include "judge/batch/results.h"
#include "judge/batch/writer.h"
#include "judge/question/charge.h"
#include "judge/question/question.h"

struct batch_lookup {
	/* Set by the caller. */
	struct endpoint *endpoint;
	struct batch_results results;
	struct batch_writer writer;
	bool writes;           /* whether there is a writer */
	struct prices *prices; /* as in struct scheduler */
	const char *cache;     /* as in struct scheduler */

	/* Counts and results. */
	size_t answered, refused; /* number of requests that a result answers,
				   * and that the server refuses */
	size_t again, lacking;    /* number of requests that should be sent
				   * again, and that have no result */
	struct str why;           /* the reason for the first request that
				   * should be sent again; in the results'
				   * arena */
	struct usage usage;       /* total of the results */

	struct hash_table asked; /* keys of questions; private */
};

/* Takes the best result for the question. The question is not done afterwards
 * if there is no result that counts, if it should be asked again, or if there
 * is a writer and the result does not decide every check: the writer writes
 * the question again. */
void batch_lookup_answer(struct batch_lookup *, struct question *);

/* Writes the request for the question if there is a writer. */
void batch_lookup_put(struct batch_lookup *, struct question *);
