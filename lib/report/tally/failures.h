/*
 * What runs failed of, each thing once however many runs did, in bounded
 * memory: of all findings those are kept that stand first in their order, so
 * that neither the order of the records nor how they were split up matters.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "report/tally/result.h"

enum {
	FINDING_EXAMPLES = 3,
	FINDING_TEXT_MAX = 8192, /* what exceeds it of a text is cut off */
};

struct finding_run {
	struct str id, agent, file;
	int64_t run_index, line;
};

struct finding {
	enum status status; /* failed, error, pending or skipped */
	enum severity severity;
	struct str scenario, dialect, type, label, at, reason;
	size_t runs;  /* how many runs have it */
	size_t times; /* how often, since a run may have it more than once */
	struct finding_run examples[FINDING_EXAMPLES]; /* the first of them */

	struct str key;     /* private: identity */
	size_t last_serial; /* private: the record that last had it */
};

struct findings {
	size_t max;            /* SIZE_MAX: all are kept */
	struct finding **list; /* in order once findings_sort was called */
	size_t n;
	size_t times[STATUS_COUNT]; /* of all, also those not kept */

	/* private */
	struct hash_table table;
	struct arena memory, spare;
	size_t serial, used, live;
	const struct finding *last; /* of max kept: nothing behind it is */
};

/* The struct may not be moved from then on. max: how many are kept. */
void findings_start(struct findings *, size_t max);

/* Counts what the run's checks did not pass. The arena is for the moment. */
void findings_add(struct findings *, const struct result *, struct arena *);

/* Adds one that others counted, and how often a status was found of those that
 * they did not keep. */
void findings_merge(struct findings *, const struct finding *, struct arena *);
void findings_merge_times(struct findings *, enum status, size_t times);

/* Puts in order what is kept, at most max: by status, severity, scenario,
 * place in the assertion file, label and reason. */
void findings_sort(struct findings *);

/* How many checks of that status are not among those kept. */
size_t findings_left_out(const struct findings *, enum status);

/* Whether the run's check is worth telling: it was not passed. An errored
 * run's checks are skipped for the one reason that is told of the run. */
bool finding_is(const struct result *, const struct result_check *);

/* How much it matters: what is pending is no more than a warning, what is
 * skipped a note. */
enum severity finding_severity(enum status, enum severity of_check);

/* What its author calls the check: its label, or its type. */
struct str finding_name(const struct finding *);

/* How many of the finding's examples there are. */
size_t finding_examples(const struct finding *);

/* The file of "FILE:LINE" and its line; an option, and what does not end in a
 * line number, come back whole with line 0. */
struct str finding_place(struct str at, size_t *line);
/* The order of two places: by file, then by line. */
int finding_place_compare(struct str a, struct str b);

void findings_free(struct findings *);

#endif
