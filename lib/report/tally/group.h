/*
 * The counts of a group of runs: of a task, of a group of --by, or of all runs.
 * Memory does not grow with the number of runs: the limits below bound what may
 * take any number of values, and the distributions of amounts are approximated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/wide.h"
#include "report/tally/bounded_map.h"
#include "report/tally/counts.h"
#include "report/tally/permissions.h"
#include "report/tally/result.h"

enum {
	TALLY_TOOLS_MAX = 500,     /* of a group */
	TALLY_SEQUENCES_MAX = 500, /* of a group */
	TALLY_VALUES_MAX = 500,    /* of a group */
	TALLY_ANSWER_MAX = 65536,  /* bytes */
};

/* The work of judges. */
struct tally_judge {
	size_t verdicts; /* checks that were judged */
	size_t cached;   /* verdicts whose answer came from the cache */
	size_t split;    /* checks whose votes were not all the same */
	struct tally_sum used[METRIC_TOOL_CALLS];
	struct tally_sum
	    saved[METRIC_TOOL_CALLS]; /* usage that the cache saved */
};

/* The answer of the last run that has one, by start, agent, run index and
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

/* Further counts of the runs. */
struct tally_details {
	/* struct tally_pair: a JSON list of names */
	struct bounded_map sequences;
	struct bounded_map values; /* struct tally_pair: extracted values */
	struct tally_answer answer;
};

struct tally_group {
	struct str_list names; /* s is NULL where a name is absent */
	size_t runs;
	size_t status[STATUS_COUNT]; /* counts of the runs that have a status */
	size_t checks[STATUS_COUNT]; /* counts of the assertions' results */
	size_t errors;               /* runs that ended in an error */
	/* runs with the word "assertion" in a reason of their failures, which
	 * MCPLab's drift counts */
	size_t assertion_failures;
	struct tally_sum used[AMOUNTS];
	/* private: the sums of the squares of these amounts, where they are counted; NULL:
	 * of at most one run */
	struct wide *squares;
	struct bounded_map tools; /* struct tally_tool */
	struct tally_calls permissions;
	struct tally_judge *judge;     /* NULL: no judge */
	struct tally_details *details; /* NULL: not counted */

	/* Set by tally_finish(). */
	struct str *models; /* of a group's runs, sorted, where rows are sums */
	size_t n_models;
	size_t tasks; /* tasks that have a pass rate */
	/* tasks of which some runs passed and some failed or ended in an
	 * error */
	size_t flaky;
	struct tally_k *k; /* one for each k of the plan */
	size_t n_k;

	/* private: the task that came after this one */
	struct tally_group *next;
};

/* Returns an empty group in the arena. The arena must also be given to the
 * functions that fill the group. */
struct tally_group *tally_group_new(struct arena *, size_t n_k);

/* Returns whether the first n names of two groups are equal; an absent name is
 * equal only to an absent name. */
bool tally_names_equal(const struct str *, const struct str *, size_t n);

/* Returns the order of n names of two groups: by bytes, absent names last. */
int tally_names_compare(const struct str *, const struct str *, size_t n);

/* Sorts groups by their names. */
void tally_groups_sort(struct tally_group **, size_t n);

/* Returns the place of the name in the list, or the list's length. */
size_t tally_name_place(struct str_list, struct str name);

/* tally_group_add() counts a run. tally_group_add_behaviour() then counts tools and
 * the squares of the run's amounts, and tally_group_add_details() what else the run
 * did: the distributions of the amounts, times of calls, their sequence, extracted
 * values and the answer. Temporary memory is taken from `moment`. */
void tally_group_add(
    struct tally_group *, const struct result *, struct arena *);
void tally_group_add_behaviour(struct tally_group *, const struct result *,
    struct arena *, struct arena *moment);
void tally_group_add_details(struct tally_group *, const struct result *,
    struct arena *, struct arena *moment);

/* Returns the sum of the squares of an amount, of runs whose behaviour was counted. */
struct wide tally_group_squares(const struct tally_group *, int amount);
/* Returns these sums, which are made in the arena from the amounts of the only run if
 * there are none. */
struct wide *tally_group_own_squares(struct tally_group *, struct arena *);

/* Adds the counts of one group to another. */
void tally_group_merge(
    struct tally_group *to, const struct tally_group *from, struct arena *);

/* Adds only the members that tally_finish() sets: tasks, flaky tasks, and
 * pass@k. */
void tally_group_add_rates(
    struct tally_group *to, const struct tally_group *from);

/* Returns the key of a sequence of calls: JSON text, always written alike. */
struct str tally_sequence(const struct json *names, struct arena *);

/* Return the work of judges, and the details; the functions with `own` return what can
 * be changed, made in the arena if there is none. */
const struct tally_judge *tally_group_judge(const struct tally_group *);
struct tally_judge *tally_group_own_judge(struct tally_group *, struct arena *);
const struct tally_details *tally_group_details(const struct tally_group *);
struct tally_details *tally_group_own_details(
    struct tally_group *, struct arena *);

/* Returns whether some runs of a task passed and some failed or ended in an
 * error. */
bool tally_group_flaky(const struct tally_group *);

/* tally_checked() returns the number of runs that have a status,
 * tally_decided() of those that passed, failed or ended in an error. */
size_t tally_checked(const struct tally_group *);
size_t tally_decided(const struct tally_group *);

/* Returns the number of runs that the pass rate is of: all that have a status
 * except unchecked, so that a pending or skipped run counts as not passed.
 * Returns 0 (there is no rate) if no run was decided. */
size_t tally_rated(const struct tally_group *);
