/*
 * What is counted of all records: per scenario, agent and model, and what was
 * found, in memory that does not grow with the number of records.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "findings.h"
#include "hash.h"
#include "result.h"

/* A sum over the runs that recorded the amount; how many they are. */
struct tally_sum {
	int64_t sum;
	size_t runs;
};

struct tally_group {
	struct str scenario, agent, model; /* s is NULL: not told */
	size_t runs;
	size_t status[STATUS_COUNT]; /* of the runs that have one */
	size_t checks[STATUS_COUNT]; /* of the assertions' results */
	size_t errors;               /* runs that ended in an error */
	struct tally_sum used[MEASURES];
};

struct tally {
	struct tally_group **groups; /* in order after tally_finish */
	size_t n;
	struct tally_group total;
	struct findings findings;
	size_t other; /* values in the input that are no traces */

	/* private */
	struct arena arena;
	struct hash_table table;
};

/* max_findings: how many different findings are kept. The struct may not be
 * moved from then on. */
void tally_start(struct tally *, size_t max_findings);

/* Counts a run. The arena is for the moment. */
void tally_add(struct tally *, const struct result *, struct arena *);

/* Puts the groups (by scenario, agent, model, by bytes; what is not told
 * last) and the findings in order. */
void tally_finish(struct tally *);

/* Adds what one group counted to another. */
void tally_merge(struct tally_group *to, const struct tally_group *from);

/* How many of the runs have a status; how many of these were decided: passed,
 * failed or ended in an error. */
size_t tally_checked(const struct tally_group *);
size_t tally_decided(const struct tally_group *);

/* How many runs the pass rate is of: all that have a status but the unchecked,
 * so that one that is pending or skipped has not passed; 0, that is no rate,
 * where none was decided. */
size_t tally_rated(const struct tally_group *);

void tally_free(struct tally *);

#endif
