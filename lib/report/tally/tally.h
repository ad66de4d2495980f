/*
 * What is counted of all records: per task, which is a scenario as one agent
 * with one model runs it, and per group, which is what --by asks for; per
 * assertion; and what was found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "report/tally/assertion.h"
#include "report/tally/bounded_map.h"
#include "report/tally/failures.h"
#include "report/tally/group.h"
#include "report/tally/result.h"

enum {
	TALLY_CHECKS_MAX = 20000, /* different assertions */
	TALLY_STEPS_MAX = 2000,   /* ways from one tool to the next */
	TALLY_JUDGES_MAX = 16,
};

struct tally_plan {
	size_t max_findings; /* how many different findings are kept */
	struct str_list by;  /* members of the record: agent, meta.version */
	bool by_default;     /* nothing was asked for */
	const size_t *k;     /* of pass@k, in the order to show */
	size_t n_k;
	bool assertions; /* count the results of each assertion */
	bool details; /* count tools, sequences, extracted values and what else
	               * the runs did, and how their amounts are spread */
};

struct tally {
	struct tally_plan plan;
	struct str_list task_by; /* scenario_id, agent, model, and what else
	                          * plan.by has */
	struct tally_group **tasks;
	size_t n_tasks;
	struct tally_group **groups; /* after tally_finish, as is total */
	size_t n;
	struct tally_group total;
	/* How many runs have which status if only checks that are at least so
	 * severe count. */
	size_t at_least[SEVERITY_COUNT][STATUS_COUNT];
	struct bounded_map checks; /* struct assertion */
	struct bounded_map
	    steps; /* struct tally_pair: a tool and the one called
	                      * next; empty before the first and after the
	                      * last of a run */
	struct bounded_map
	    judges; /* struct bounded_map_item: "PROVIDER MODEL" */
	struct failures failures;
	size_t other;    /* values in the input that are no traces */
	size_t filtered; /* runs that are not of the statuses asked for */
	/* What ids open with before scenario, agent and number: the least, by
	 * bytes; and when the first and the last run began. */
	struct bounded_map_text run_id, first_start, last_start;

	/* private */
	struct arena arena;
	struct hash_table table;
	struct tally_group *last; /* the task that was asked for last */
	size_t runs;              /* added, so that each has a number */
};

/* The plan where nothing is asked for: by scenario_id, agent and model, for k
 * of 1, 3 and 5, all findings, assertions and details. */
struct tally_plan tally_plan_default(void);

/* What the plan points to must live as long. The struct may not be moved from
 * then on. */
void tally_start(struct tally *, const struct tally_plan *);

/* Counts a run, whose calls were read if details are counted. The arena is for
 * the moment. */
void tally_add(struct tally *, const struct result *, struct arena *);

/* Adds what another one counted, by the same plan. The arena is for the moment.
 */
void tally_merge(struct tally *, struct tally *from, struct arena *);

/* Takes note of where runs come from: see run_id above. */
void tally_origin(
    struct tally *, struct str run_id, struct str first, struct str last);

/* Takes note of who gave a verdict. */
void tally_judged_by(struct tally *, struct str judge);

/* The task of these names (one for each of task_by), new or known. */
struct tally_group *tally_task(
    struct tally *, const struct str *names, struct arena *moment);

/* Sums up groups and total, and puts the tasks and groups (by their names, by
 * bytes; what is not told last) and the findings in order. */
void tally_finish(struct tally *);

/* What MCPLab's files are told of all the runs: their id, which is "mcpl" if
 * no record has one; a time, which is 1970 if none is recorded; and a hash of
 * the assertions, which stands for that of their file. */
struct str tally_run_id(const struct tally *);
struct str tally_first_start(const struct tally *);
struct str tally_last_start(const struct tally *);
struct str tally_config_hash(const struct tally *, struct arena *);

/* Puts groups in that order. */
void tally_groups_sort(struct tally_group **, size_t n);

void tally_free(struct tally *);
