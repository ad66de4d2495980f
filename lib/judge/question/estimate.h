/* Estimates requests that are not sent. */
#pragma once

#include "base/hash.h"
#include "judge/question/charge.h"
#include "judge/question/question.h"

struct estimate {
	size_t bytes;
	double tokens[2]; /* input, output */
	double usd;       /* what they cost; negative: not known */
	/* The keys of the questions. A key is counted once, unless the table
	 * has no arena. */
	struct hash_table keys;
};

/* Adds the question's request to the endpoint. Returns false if a question with
 * its key was counted before. */
bool estimate_add(struct estimate *, struct question *, const struct endpoint *,
    struct prices *);
