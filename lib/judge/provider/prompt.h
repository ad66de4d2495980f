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
	bool score;        /* the answer is a number, not pass or fail */
	double low, high;  /* the scale of the number; both 0: from 0 to 1 */
	bool compare;      /* the answer says which of two runs is better: in
			    * all checks of a prompt or in none */
	bool confidence;   /* the answer also says how certain the score is */
	bool quoted;       /* the answer also quotes the record */
	bool reasoned;     /* an answer without a reason is invalid */
	double least;      /* the lowest score that passes, from 0 to 1; not in
			    * the request */
};

struct prompt {
	const struct prompt_check *checks;
	size_t n;
	struct str rules; /* instructions: the judge's task and the form of the
			   * answer */
	struct str list;  /* JSON: [{"id","answer","confidence","quote","scale",
			  * "rubric"}] */
	struct str data;  /* JSON from context_write */
	/* Words that an answer has to repeat, before and after the data; absent:
	 * see prompt_stored. */
	struct str nonce, end;
	struct str ids; /* at the end of each id in a program's document */
	/* Set by the caller of prompt_make: */
	bool redacted;              /* the request contains redaction marks */
	bool measured;              /* the rubric of its only check says how the
				     * texts of its data are measured
				     * (judge/question/measure.h) */
	bool gaps;                  /* the data lacks parts of the run */
	const struct image *images; /* sent with the data; their labels are
				     * there */
	size_t n_images;

	/* private */
	bool old;      /* see prompt_old */
	bool document; /* the form of prompt_document */
};

/*
 * Returns the prompt. Its rules, its list and its schema depend on the checks
 * alone, so that providers, which keep a prefix and a schema that they have seen
 * before, find them again for each run. The nonces are parts of a hash of the
 * checks and the data, so no text of the data can contain the nonces: the author
 * of such a text would have to find a text that contains 64 bits of its own
 * hash. Nothing random is in the nonces, because the process that reads the
 * results of a batch has to know the nonces of the process that wrote the
 * requests.
 */
struct prompt prompt_make(
    struct arena *, const struct prompt_check *, size_t n, struct str data);

/* Returns the prompt for answers in a cache, which have no nonces. */
struct prompt prompt_stored(const struct prompt *);

/* Returns the form of the prompt that named a request in a cache, and in the
 * cache's answers, before verdicts were more than pass and fail. This form
 * never changes, so that old caches still answer. */
struct prompt prompt_old(struct arena *, const struct prompt *);

/* Returns the prompt whose ids have a nonce, as a program's answer may name
 * the checks, and as all answers did before prompts had nonces as values. */
struct prompt prompt_by_ids(const struct prompt *);

/* Returns the id of the n-th check, counted from 0: "check_1" for 0, or
 * "check_1_NONCE" for prompt_by_ids. */
struct str prompt_id(struct arena *, const struct prompt *, size_t n);

/* Returns whether the check has a scale of its own. */
bool prompt_is_scaled(const struct prompt_check *);

/*
 * Returns the JSON schema of an answer: an object with a required member for
 * the nonce, each check, and the end. The reason comes first, so that a model
 * reasons before it decides. The schema uses only the subset of JSON Schema
 * that strict decoders support; many ignore "minimum" and "maximum", so a score
 * is one of a list of numbers.
 */
struct str prompt_schema(struct arena *, const struct prompt *);

/* Returns two messages of a chat: `system` has the instructions and the
 * checks, and is the same for all data; `user` is one JSON object with the
 * nonce, the data under a name that no recorded text can contain, a reminder of
 * the task, and the end. */
struct prompt_chat {
	struct str system, user;
};
struct prompt_chat prompt_chat(struct arena *, const struct prompt *);

/*
 * Returns one JSON document for a program:
 * {"v","instructions","checks","data","schema","chat"}. The ids of its checks
 * have a nonce, so that a program that names the checks by their ids proves
 * what it read. `chat` is {"system","before","after","schema"}: the messages of
 * prompt_chat, of which the user's is before, data and after, and their schema.
 */
struct str prompt_document(struct arena *, const struct prompt *);
