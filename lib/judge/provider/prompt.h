/*
 * The parts of one request to a judge, which each provider writes in its own
 * form. The rubrics, which the author of the checks wrote, and the data, which
 * was recorded, never share a string, and neither is decoded: recorded text
 * can only appear inside a JSON string. The functions are pure: the same
 * checks and data give the same bytes on every machine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "judge/evidence/media.h"

struct prompt_check {
	struct str rubric; /* JSON string, verbatim from the author's file */
	bool score;        /* the answer is a number from 0 to 1, not pass or
			    * fail */
	bool confidence;   /* the answer also says how certain the score is */
	bool quoted;       /* the reason should quote the record */
	bool reasoned;     /* an answer without a reason is invalid */
	double least;      /* the lowest score that passes; not in the
			    * request */
};

struct prompt {
	const struct prompt_check *checks;
	size_t n;
	struct str rules; /* instructions: the judge's task and the form of the
			   * answer */
	struct str
	    list; /* JSON: [{"id","answer","confidence","quote","rubric"}] */
	struct str data;  /* JSON from context_write */
	struct str nonce; /* at the end of each id; absent: see prompt_plain */
	bool redacted;    /* the request contains redaction marks */
	bool old;         /* see prompt_plain */
	/* Set by the caller of prompt_make: */
	bool gaps;                  /* the data lacks parts of the run */
	const struct image *images; /* sent with the data; their labels are
				     * there */
	size_t n_images;
};

/*
 * Returns the prompt. Its nonce is a hash of the checks and the data, so no
 * text of the data can contain the nonce: the author of such a text would have
 * to find a text that contains 64 bits of its own hash. Nothing random is in
 * the nonce, because the process that reads the results of a batch has to know
 * the ids of the process that wrote the requests.
 */
struct prompt prompt_make(
    struct arena *, const struct prompt_check *, size_t n, struct str data);

/* Returns the form of the prompt that names a request in a cache and in the
 * cache's answers: its ids have no nonce, its schema has no bounds, and its
 * verdicts are pass or fail. This form never changes, so that old caches still
 * answer. */
struct prompt prompt_plain(struct arena *, const struct prompt *);

/* Adds an explanation of redaction marks to the instructions, for a request
 * that contains such marks. */
void prompt_add_redacted(struct arena *, struct prompt *);

/* Returns the id of the n-th check, counted from 0: "check_1_NONCE" for 0, or
 * "check_1" if the prompt has no nonce. */
struct str prompt_id(struct arena *, const struct prompt *, size_t n);

/* Returns the JSON schema of an answer: an object with a required member for
 * each check. The reason comes first, so that a model reasons before it
 * decides. The schema uses only the subset of JSON Schema that strict decoders
 * support; many ignore "minimum" and "maximum", so a score is one of a list of
 * numbers. */
struct str prompt_schema(struct arena *, const struct prompt *);

/* Returns two messages of a chat: `system` has the instructions and the
 * checks, `user` has the data as an object with one member, whose name no
 * recorded text can contain. */
struct prompt_chat {
	struct str system, user;
};
struct prompt_chat prompt_chat(struct arena *, const struct prompt *);

/* Returns one JSON document for a program:
 * {"v","instructions","checks","data","schema"}. */
struct str prompt_document(struct arena *, const struct prompt *);
