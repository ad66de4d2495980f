/*
 * Reads a judge's answer without trusting the judge or the server: a check has
 * a verdict only if the answer names the id of the check once, with one reason
 * and one verdict (or score) of the kind that was asked for and no other member,
 * and if the record holds no copy of what the answer gives for the check. An
 * answer that names anything else, or that does not repeat the nonces of the
 * request, decides nothing. The functions are pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/out.h"
#include "judge/provider/prompt.h"

enum verdict_found {
	VERDICT_MISSING, /* the answer does not name the check */
	VERDICT_UNFIT,   /* the answer names the check, but has no valid
			  * verdict */
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_UNSURE,    /* instead of a pass or a fail: a person or another
			    * judge decides */
	VERDICT_NOT_SHOWN, /* instead of a pass, a fail or a score: what decides
			    * is not in the data */
	VERDICT_FIRST,     /* of a comparison: the first run is better */
	VERDICT_SECOND,
	VERDICT_TIE,
	VERDICT_SCORE,
};

/* Returns the word of a verdict in answers and in records: "pass", "fail",
 * "unsure", "not_shown", "first", "second" or "tie"; NULL for any other. */
const char *verdict_word(enum verdict_found);

struct verdict {
	enum verdict_found found;
	double score;      /* from 0 to 1 */
	double rating;     /* the score on the scale of the check's rubric */
	bool refused;      /* the answer has "passed": false, whatever the
			    * score */
	bool out_of_range; /* unfit: a number is not from 0 to 1 */
	double confidence; /* in the score, from 0 to 1; 1 if not given */
	struct str reason; /* the judge's reason, or why the verdict is unfit */
	struct str quotes; /* the quotations of the answer and whether they are
			    * in the data: [{"text","found"}]; absent: none */
};

struct verdicts {
	struct verdict *list; /* one for each check of the prompt */
	size_t n;
	size_t good; /* number of verdicts that are neither missing nor unfit */
	bool out_of_range; /* so is the score of a check */
};

/*
 * Reads the text of an answer. The text is a JSON object, after thoughts with
 * which the text may begin (they end with </think>, whether or not they begin with
 * <think>). The object may be in a code fence, before which there may be one
 * sentence, and behind which there may be prose that does not take the answer
 * back. Returns false and sets *why if the text has another form, if the object
 * names an id that the prompt does not have, or if it lacks the prompt's nonces. In
 * place of ids without a nonce and the nonces, the object may have the ids of
 * prompt_by_ids. The verdicts are in the arena.
 */
bool verdict_read(struct verdicts *, struct arena *, const struct prompt *,
    struct str text, struct str *why);

/* Writes the member `quotes` of a record, if there are quotations. */
void verdict_put_quotes(struct out *, const struct verdict *);

/* Writes verdicts, all of which must be good, as an answer that verdict_read
 * accepts for this prompt, which must be one of prompt_stored. */
void verdict_write(struct out *, struct arena *, const struct prompt *,
    const struct verdicts *);
