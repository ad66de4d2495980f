/*
 * A judge's answer, read with no trust in who gave it: whatever was asked of
 * a model and promised by a server, a check has a verdict only if the answer
 * names its id once, with one reason and one verdict (or score) of the kind
 * that was asked for. Pure functions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/out.h"
#include "judge/provider/prompt.h"

enum verdict_found {
	VERDICT_MISSING, /* the answer does not name the check */
	VERDICT_UNFIT,   /* it names it, but not so that it counts */
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_SCORE,
};

struct verdict {
	enum verdict_found found;
	double score;      /* from 0 to 1 */
	bool refused;      /* "passed": false, whatever the score */
	double confidence; /* in the score, from 0 to 1; 1 if not told */
	struct str reason; /* the judge's, or what makes it unfit */
};

struct verdicts {
	struct verdict *list; /* one per check of the prompt */
	size_t n;
	size_t good;      /* how many are a pass, a fail or a score */
	struct str stray; /* an id that was not asked for; absent: none */
};

/*
 * Reads an answer's text: a JSON object, bare, after a <think> block or in a
 * code fence. False, and *why, if there is none.
 */
bool verdict_read(struct verdicts *, struct arena *, const struct prompt *,
    struct str text, struct str *why);

/* Writes verdicts, all of them good, as the answer that verdict_read takes. */
void verdict_write(struct out *, struct arena *, const struct verdicts *);
