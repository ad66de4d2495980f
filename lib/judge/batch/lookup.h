/*
 * Questions that batches answer: each is looked for among results that came
 * back, and what none of them answers can be written into requests. A reply is
 * taken as if it had come at once, and kept in the cache like any other.
 */
#pragma once

#include "judge/batch/results.h"
#include "judge/batch/writer.h"
#include "judge/question/prices.h"
#include "judge/question/question.h"

struct batch_lookup {
	/* Set by the caller. */
	struct endpoint *endpoint;
	struct batch_results results;
	struct batch_writer writer;
	bool writes;                 /* else there is no writer */
	const struct prices *prices; /* as an asker's, */
	const char *cache;           /* and so is this */

	/* What was done. */
	size_t answered, refused; /* requests that a result answers, or that
	                           * the server will not answer, */
	size_t again, lacking;    /* that should be sent again, or have no
	                           * result at all */
	struct str why;           /* the first of those should be: in the
	                           * results' arena */
	struct usage usage;       /* of the results */

	struct hash_table asked; /* names of questions; private */
};

/* Takes the best that came back for it, if anything did that counts: a
 * question that should be asked again, or always if a writer asks it again, is
 * not done. */
void batch_lookup_answer(struct batch_lookup *, struct question *);

/* Writes the request that asks it, if there is a writer. */
void batch_lookup_put(struct batch_lookup *, struct question *);
