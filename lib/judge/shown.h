/*
 * Fits the data of a question into what its judge takes: all of the data if
 * possible, else a choice with gaps (evidence/choose.h), and says what is shown.
 */
#pragma once

#include "judge/evidence/media.h"
#include "judge/provider/provider.h"

struct shown_source {
	const struct endpoint *endpoint;
	size_t context; /* most tokens of a question; 0: what the model is
			 * known to take */
	const struct prompt_check *checks;
	size_t n;
	struct str whole;          /* JSON from context_write */
	const struct media *media; /* of `whole` */
};

struct shown {
	struct str data;   /* JSON */
	struct str record; /* JSON, the member `shown` of a judge: {"parts",
			    * "bytes","of","tokens","gaps","images"} */
	struct str unseen; /* the same for a server that refuses images */
	bool gaps;
	const struct image *images;
	size_t n_images;
};

/* Returns the most tokens that a question may have; SIZE_MAX: no limit is
 * known. */
size_t shown_limit(const struct endpoint *, size_t context);

/* Sets what is shown, in the arena. Returns false and sets *why if the parts that
 * are always shown do not fit. */
bool shown_fit(struct shown *, struct arena *, const struct shown_source *,
    struct str *why);
