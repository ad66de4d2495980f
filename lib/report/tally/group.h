/*
 * What is counted of some runs: those of a task, of a group, or all. Memory
 * does not grow with the number of runs: of what may differ without end so
 * much is kept as the limits below say, and amounts are sketched.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "report/tally/bounded_map.h"
#include "report/tally/counts.h"
#include "report/tally/result.h"

enum {
	TALLY_TOOLS_MAX = 500,     /* of a group */
	TALLY_SEQUENCES_MAX = 500, /* of a group */
	TALLY_VALUES_MAX = 500,    /* of a group */
	TALLY_ANSWER_MAX = 65536,  /* bytes */
};

/* What judges did. */
struct tally_judge {
	size_t verdicts; /* checks that were judged */
	size_t cached;   /* of these, whose answer came from the cache */
	size_t split;    /* checks whose votes were not all the same */
	struct tally_sum used[USAGE_COUNT];
	struct tally_sum saved[USAGE_COUNT]; /* by the cache */
};

/* The answer of the last run that has one: by its start, agent, number and
 * id. */
struct tally_answer {
	struct bounded_map_text text, start, agent, id;
	int64_t run_index;
};

/* pass@k and pass^k, summed over the tasks that have at least k runs. */
struct tally_k {
	double pass_at, pass_all;
	size_t tasks;
};

struct tally_group {
	struct str_list names; /* s is NULL where one is not told */
	size_t runs;
	size_t status[STATUS_COUNT]; /* of the runs that have one */
	size_t checks[STATUS_COUNT]; /* of the assertions' results */
	size_t errors;               /* runs that ended in an error */
	size_t assertion_failures;   /* runs that failed of an "assertion" in
	                              * so many words: MCPLab's drift asks */
	struct tally_sum used[METRICS];
	struct bounded_map tools; /* struct tally_tool */
	struct bounded_map
	    sequences;             /* struct tally_pair: a JSON list of names */
	struct bounded_map values; /* struct tally_pair: what was extracted */
	struct tally_judge *judge; /* NULL: there was none */
	struct tally_answer answer;

	/* after tally_finish */
	size_t tasks; /* that have a pass rate */
	size_t flaky; /* tasks of which some runs passed and some did not: they
	               * failed or ended in an error */
	struct tally_k *k; /* one for each that was asked for */
	size_t n_k;

	struct tally_group
	    *next; /* private: what was once asked for after it */
};

/* An empty one, in the arena that is then given to what fills it. */
struct tally_group *tally_group_new(struct arena *, size_t n_k);

/* Returns whether the first n names of two groups are the same, an absent one
 * only the same as an absent one. */
bool tally_names_equal(const struct str *, const struct str *, size_t n);

/* Counts a run, and then what it did: tools, sequence, extracted values,
 * answer, and how its amounts are spread. `moment` is for what is needed
 * meanwhile. */
void tally_group_add(
    struct tally_group *, const struct result *, struct arena *);
void tally_group_add_details(struct tally_group *, const struct result *,
    struct arena *, struct arena *moment);

/* Adds what one group counted to another. */
void tally_group_merge(
    struct tally_group *to, const struct tally_group *from, struct arena *);

/* Adds what tally_finish() sets: tasks, flaky tasks, and pass@k. */
void tally_group_add_rates(
    struct tally_group *to, const struct tally_group *from);

/* The key of a sequence of calls: JSON text, in one way of writing it. */
struct str tally_sequence(const struct json *names, struct arena *);

/* What judges did; and the same to add to. */
const struct tally_judge *tally_group_judge(const struct tally_group *);
struct tally_judge *tally_group_own_judge(struct tally_group *, struct arena *);

/* Whether runs of one task passed and others did not. */
bool tally_group_flaky(const struct tally_group *);

/* How many of the runs have a status; how many of these were decided: passed,
 * failed or ended in an error. */
size_t tally_checked(const struct tally_group *);
size_t tally_decided(const struct tally_group *);

/* How many runs the pass rate is of: all that have a status but the unchecked,
 * so that one that is pending or skipped has not passed; 0, that is no rate,
 * where none was decided. */
size_t tally_rated(const struct tally_group *);
