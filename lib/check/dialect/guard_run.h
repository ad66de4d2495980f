/* Judges the event that a hook asks about by the checks of all files, and tells the
 * agent's product. */
#pragma once

#include "check/dialect/spec.h"
#include "check/guard.h"

/* A check that the event breaks, or may break. */
struct guard_reason {
	const struct check *check;
	struct guard_finding finding;
};

struct guard_verdict {
	struct guard guard;     /* what is asked */
	enum guard_found found; /* the worst */
	struct guard_reason *reasons;
	size_t n;
	size_t judged, unable; /* checks that judged the event, that cannot */
};

/* Reports each check that cannot judge a single call. */
void guard_examine(const struct spec *);

/* Judges the event of the record by the checks that apply to the run, of which this makes
 * the view. The verdict lives in the arena. An event that holds the agent back at its end
 * does so once. */
struct guard_verdict guard_run(
    const struct spec *, const struct trace *, struct view *, struct arena *);

/* Returns the decision as a JSON object, as the agent's product reads it from a hook;
 * empty if the product has no such object for the event: nothing is to be decided then,
 * or the product would take the object for a failure. */
struct str guard_answer(const struct guard_verdict *, struct arena *);

/* Returns the reason as a text. */
struct str guard_reason_text(const struct guard_reason *, struct arena *);
