/*
 * JSON as PromptKit looks for it in an answer: the whole text, or what stands
 * in its first code fence, or its first {...} or [...]; and as Go reads it: of
 * members of one name the last is there.
 */
#ifndef CHECK_EMBEDDED_H
#define CHECK_EMBEDDED_H

#include "../json.h"
#include "../out.h"
#include "../str.h"

struct embedded {
	bool fenced; /* in the first code fence, if there is one; else */
	bool loose;  /* the first object, else the first list, that has an end;
	              * else the whole text */
};

/* Reads it. NULL if that is no JSON, or a number in it is beyond all doubles,
 * which Go refuses; *why is members of a JSON object then: error, content. */
const struct json *embedded_read(const struct embedded *, struct json_reader *,
    struct str text, struct arena *, struct str *why);

/* Adds the members for --lint. */
void embedded_show(const struct embedded *, struct out *);

#endif
