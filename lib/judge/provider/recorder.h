/*
 * Keeps each try of a request in a folder (--log): a file of one JSON object on
 * one line, which mcpl-judge reads never. The name begins with the time, so that
 * names sort by time, and has the run's id and the label of a check. The file is
 * there as soon as the request is sent, and is replaced when the try has ended, so
 * that a process that is killed leaves its open requests. Keys, the values of
 * headers and all that the caller redacted are not in the files, which only their
 * owner can read. Judging goes on if a file cannot be written.
 */
#pragma once

#include "judge/provider/provider.h"

struct recorder {
	const char *dir;
	bool failed; /* the message about a failure was printed */
};

/* The name of a request, and what is known of its last try. */
struct recorder_entry {
	struct str run;    /* the run's id, redacted; absent: of no run */
	struct str *about; /* the labels of the checks, redacted */
	size_t n;
	unsigned tries;   /* including the last one */
	const char *path; /* of the last try, in the exchange's arena; NULL: not
			   * kept */
	/* private */
	const struct endpoint *endpoint;
	struct str when;
	double begun;
};

/* Makes the folder (not its parents) if it does not exist. Returns false, with
 * errno, if nothing can be written to it. */
bool recorder_open(const struct recorder *);

/* Keeps a request that is about to be sent. Does nothing without a recorder
 * (NULL). */
void recorder_begin(struct recorder *, struct recorder_entry *,
    const struct endpoint *, const struct exchange *);

/* Keeps the result of the last try. `outcome` is one word, and `why` the reason
 * why there is no answer (absent: there is one). */
void recorder_end(struct recorder *, struct recorder_entry *,
    const struct exchange *, const char *outcome, struct str why);
