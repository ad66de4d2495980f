/*
 * What runs failed of, each thing once however many runs did, in bounded
 * memory: of all findings those are kept that stand first in their order, so
 * that neither the order of the records nor how they were split up matters.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "report/tally/result.h"

enum {
	FAILURE_EXAMPLES = 3,
	FAILURE_TEXT_MAX = 8192, /* what exceeds it of a text is cut off */
};

struct failure_run {
	struct str id, agent, file;
	int64_t run_index, line;
};

struct failure {
	enum status status; /* failed, error, pending or skipped */
	enum severity severity;
	struct str scenario, dialect, type, label, at, reason;
	size_t runs;  /* how many runs have it */
	size_t times; /* how often, since a run may have it more than once */
	struct failure_run examples[FAILURE_EXAMPLES]; /* the first of them */

	struct str key;     /* private: identity */
	size_t last_serial; /* private: the record that last had it */
};

struct failures {
	size_t max;            /* SIZE_MAX: all are kept */
	struct failure **list; /* in order once failures_sort was called */
	size_t n;
	size_t times[STATUS_COUNT]; /* of all, also those not kept */

	/* private */
	struct hash_table table;
	struct arena memory, spare;
	size_t serial, used, live;
	const struct failure *last; /* of max kept: nothing behind it is */
};

/* The struct may not be moved from then on. max: how many are kept. */
void failures_start(struct failures *, size_t max);

/* Counts what the run's checks did not pass. The arena is for the moment. */
void failures_add(struct failures *, const struct result *, struct arena *);

/* Adds one that others counted, and how often a status was found of those that
 * they did not keep. */
void failures_merge(struct failures *, const struct failure *, struct arena *);
void failures_merge_times(struct failures *, enum status, size_t times);

/* Puts in order what is kept, at most max: by status, severity, scenario,
 * place in the assertion file, label and reason. */
void failures_sort(struct failures *);

/* How many checks of that status are not among those kept. */
size_t failures_left_out(const struct failures *, enum status);

/* Whether the run's check is worth telling: it was not passed. An errored
 * run's checks are skipped for the one reason that is told of the run. */
bool failure_is(const struct result *, const struct result_check *);

/* How much it matters: what is pending is no more than a warning, what is
 * skipped a note. */
enum severity failure_severity(enum status, enum severity of_check);

/* What its author calls the check: its label, or its type. */
struct str failure_name(const struct failure *);

/* How many of the finding's examples there are. */
size_t failure_examples(const struct failure *);

/* The file of "FILE:LINE" and its line; an option, and what does not end in a
 * line number, come back whole with line 0. */
struct str failure_place(struct str at, size_t *line);
/* The order of two places: by file, then by line. */
int failure_place_compare(struct str a, struct str b);

/* "FILE:LINE" of a log; the file alone if no line is known, absent without a
 * file. */
struct str failure_log(struct str file, int64_t line, struct arena *);

void failures_free(struct failures *);
