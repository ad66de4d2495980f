/*
 * JSON as PromptKit looks for it in an answer: the whole text, or what stands
 * in its first code fence, or its first {...} or [...]; and as Go reads it: of
 * members of one name the last is there.
 */
#pragma once

#include "check/view.h"
#include "io/out.h"
#include "json/json.h"

struct embedded {
	bool fenced; /* in the first code fence, if there is one; else */
	bool loose;  /* the first object, else the first list, that has an end;
	              * else the whole text */
};

/* Why there is none. */
struct embedded_wrong {
	struct str what;    /* absent: there is one */
	struct str members; /* of a JSON object: error, content */
};

/* Reads it in the view's text, once for all that ask. NULL if that is no JSON,
 * or a number in it is beyond all doubles, which Go refuses. */
const struct json *embedded_read(
    const struct embedded *, struct view *, struct embedded_wrong *);

/* Adds the members for --lint. */
void embedded_show(const struct embedded *, struct out *);
