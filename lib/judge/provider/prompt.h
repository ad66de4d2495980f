/*
 * One request to a judge, in parts that any provider can put into the form
 * that it wants. What the author of the checks wrote (rubrics) and what was
 * recorded (data) never share a string, and neither is ever decoded: all that
 * a recorded text can reach is the inside of a JSON string. Pure functions;
 * the same checks and data give the same bytes anywhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct prompt_check {
	struct str rubric; /* JSON string, as its author's file has it */
	bool score;        /* wants a number from 0 to 1, else pass or fail */
	bool confidence;   /* and with the score, how sure the judge is of it */
	bool quoted;       /* its reason is to be a quotation of the record */
	bool reasoned;     /* an answer that gives no reason does not count */
};

struct prompt {
	const struct prompt_check *checks;
	size_t n;
	struct str rules; /* what a judge is and how it answers */
	struct str
	    list; /* JSON: [{"id","answer","confidence","quote","rubric"}] */
	struct str data; /* JSON: what context_write gave */
};

struct prompt prompt_make(
    struct arena *, const struct prompt_check *, size_t n, struct str data);

/* Says in the rules what marks of redaction are: some stand in the request. */
void prompt_add_redacted(struct arena *, struct prompt *);

/* The id of the n-th check, from 0: "check_1". */
struct str prompt_id(struct arena *, size_t n);

/* The JSON schema of an answer: an object with a required member for each
 * check; reason first, so that a model reasons before it decides. Within the
 * subset of JSON Schema that strict decoders know. */
struct str prompt_schema(struct arena *, const struct prompt *);

/* For a chat: the message with the rules and the checks, and the one with the
 * data, whose only member bears a name that no recorded text can know. */
struct prompt_chat {
	struct str system, user;
};
struct prompt_chat prompt_chat(struct arena *, const struct prompt *);

/* For a program: all of it in one JSON document, {"v","instructions",
 * "checks","data","schema"}. */
struct str prompt_document(struct arena *, const struct prompt *);
