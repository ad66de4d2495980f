/*
 * Checks that are measured rather than asked about (promptfoo's `similar` and
 * `moderation`): the prompt of such a check has the way of measuring in place of a
 * rubric, and its data is a list of texts, the answer first. The functions are pure.
 */
#pragma once

#include "judge/question/verdict.h"

enum measure {
	MEASURE_NONE,
	MEASURE_SIMILAR,    /* by embeddings of the texts */
	MEASURE_MODERATION, /* by the categories that a service flags */
	MEASURES
};

/* Returns how the check with this judge object is measured. */
enum measure measure_of(const struct json *judge);

/* Returns the members of the judge object that decide, as JSON in the arena: what
 * stands in place of a rubric. */
struct str measure_rubric(struct arena *, const struct json *judge);

/*
 * Decides the check of the prompt by a reply, as promptfoo does: of `similar` the
 * reply is a JSON list of vectors, one for each text of the data; of `moderation` a
 * list of results of OpenAI's protocol. The reasons are promptfoo's. Returns false and
 * sets *why if the reply is anything else. The verdict is in the arena.
 */
bool measure_decide(struct verdict *, struct arena *, const struct prompt *,
    struct str reply, struct str *why);
