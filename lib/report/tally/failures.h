/*
 * The checks that runs did not pass. Equal failures of several runs are one
 * struct failure, and memory is bounded: the failures that come first in the
 * order of failures_sort() are kept, so that neither the order of the records
 * nor how they were split up matters.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "report/tally/result.h"

enum {
	FAILURE_EXAMPLES = 3,
	FAILURE_TEXT_MAX = 8192, /* a longer text is cut */
};

struct failure_run {
	struct str id, agent, file;
	struct str got; /* as in struct result_check */
	struct str
	    reason; /* of a permission, whose runs have reasons of their own */
	int64_t run_index, line;
};

struct failure {
	enum status status; /* failed, error, pending or skipped */
	enum severity severity;
	struct str scenario, dialect, type, label, at, reason;
	bool expectation; /* as in struct result_check */
	size_t runs;      /* the number of runs with this failure */
	/* the number of checks: a run may have the same failure more than
	 * once */
	size_t times;
	/* the first of these runs */
	struct failure_run examples[FAILURE_EXAMPLES];

	struct str key;     /* private: identity */
	size_t last_serial; /* private: the last record with this failure */
};

struct failures {
	size_t max; /* the number of failures to keep; SIZE_MAX: all */
	struct failure **list; /* in order after failures_sort() */
	size_t n;
	/* of all failures, also of those not kept */
	size_t times[STATUS_COUNT];

	/* private */
	struct hash_table table;
	struct arena memory, spare;
	size_t serial, used, live;
	/* the failure at place max; nothing behind it is kept */
	const struct failure *last;
};

/* Starts with no failure; `max` is the number of failures to keep. The address
 * of the struct must not change from then on. */
void failures_start(struct failures *, size_t max);

/* Counts the checks that the run did not pass. */
void failures_add(struct failures *, const struct result *, struct arena *);

/* Adds a failure that another struct failures counted; failures_merge_times()
 * adds the number of checks of a status that the other struct did not keep. */
void failures_merge(struct failures *, const struct failure *, struct arena *);
void failures_merge_times(struct failures *, enum status, size_t times);

/* Sorts the kept failures, at most max of them, by status, severity, scenario,
 * place in the assertion file, label and reason. */
void failures_sort(struct failures *);

/* Returns the number of checks of that status that are not among the kept
 * failures. */
size_t failures_left_out(const struct failures *, enum status);

/* Returns whether the run's check is worth reporting, that is, was not passed.
 * The skipped checks of a run that ended in an error are not: they share one
 * reason, which is reported for the run itself. */
bool failure_is(const struct result *, const struct result_check *);

/* Returns the severity of a check: of a pending check at most a warning, of a
 * skipped check a note. */
enum severity failure_severity(enum status, enum severity of_check);

/* Returns the name that the author gave the check: its label, else its type. */
struct str failure_name(const struct failure *);

/* Returns the reason, without blanks around it; that of a check which waits for
 * mcpl-judge says so. It is empty if the record has none. */
struct str failure_reason(enum status, struct str reason);

/* Returns the reason of the failure, that of a permission as the first run has it,
 * like failure_reason(). */
struct str failure_why(const struct failure *);

/* Returns the number of the failure's examples. */
size_t failure_examples(const struct failure *);

/* Splits "FILE:LINE": returns the file and sets *line. Returns the whole
 * text with line 0 for an option and for a text that does not end in a line
 * number. */
struct str failure_place(struct str at, size_t *line);
/* Compares two places: by file, then by line. */
int failure_place_compare(struct str a, struct str b);

/* Returns the place of a run in its log, "FILE:LINE": only the file if the line
 * is not known, an absent text without a file. */
struct str failure_log(struct str file, int64_t line, struct arena *);

void failures_free(struct failures *);
