/*
 * The counts of all records: of each task (a scenario as one agent with one
 * model runs it), of each group (as --by names them), and of each assertion;
 * and the failures.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/zone.h"
#include "report/tally/assertion.h"
#include "report/tally/bounded_map.h"
#include "report/tally/failures.h"
#include "report/tally/group.h"
#include "report/tally/key.h"
#include "report/tally/parts.h"
#include "report/tally/result.h"

enum {
	TALLY_CHECKS_MAX = 20000, /* different assertions */
	TALLY_STEPS_MAX = 2000,   /* steps from one tool to the next */
	TALLY_JUDGES_MAX = 16,
	TALLY_UNPRICED_MAX = 16,
};

struct tally_plan {
	size_t max_failures; /* the number of different failures to keep */
	struct str_list by;  /* members of the record: agent, meta.version */
	bool by_default;     /* without --by */
	/* of the days of --by; NULL: the tasks keep quarters of an hour */
	const struct zone *zone;
	const size_t *k; /* of pass@k, in the order of the report */
	size_t n_k;
	bool assertions; /* count the results of each assertion */
	/* count the tools, and the distributions of the amounts of runs, which a
	 * comparison needs */
	bool behaviour;
	/* count the times of calls, sequences, extracted values and other things
	 * that the runs did, too */
	bool details;
};

struct tally {
	struct tally_plan plan;
	/* scenario_id, agent, model, and the other names of plan.by */
	struct str_list task_by;
	bool sums; /* plan.by has a key: rows are sums, by tally_key() */
	struct tally_group **tasks;
	size_t n_tasks;
	struct tally_group **groups; /* set by tally_finish(), as is total */
	size_t n;
	struct tally_group total;
	/* Counts of runs by the status that they have if only checks of at
	 * least that severity count. */
	size_t at_least[SEVERITY_COUNT][STATUS_COUNT];
	/* runs of which all checks are skipped by conditions in their
	 * assertions */
	size_t by_author;
	struct bounded_map checks; /* struct assertion */
	/* struct tally_pair: a tool and the next tool; "" before the first
	 * and after the last call of a run */
	struct bounded_map steps;
	/* struct tally_pair: the label and the place of an assertion whose
	 * results say how many events they judged; the number of results that
	 * judged any, `of` these results */
	struct bounded_map applied;
	/* struct tally_pair: the skill, and "+" or "-" with a query that should
	 * or should not trigger the skill; the number of runs that used the
	 * skill, `of` those that were decided */
	struct bounded_map triggers;
	struct bounded_map permissions; /* struct tally_permission */
	/* struct bounded_map_item: "PROVIDER MODEL" */
	struct bounded_map judges;
	struct bounded_map unpriced; /* the same: models without a price */
	struct failures failures;
	size_t other;       /* values in the input that are no traces */
	size_t filtered;    /* runs that --filter excluded */
	struct parts parts; /* of the partials that were read */
	struct part own; /* the runs that were read otherwise; see part_add */
	/* The least prefix, by bytes, of ids as PREFIX/SCENARIO/AGENT/INDEX; and
	 * the starts of the first and the last run. */
	struct bounded_map_text run_id, first_start, last_start;

	/* private */
	struct arena arena;
	struct hash_table table;
	struct tally_group *last; /* the task of the last run */
	struct assertion **recent_checks;
	size_t runs; /* runs added, so that each run has a number */
};

/* Returns the default plan: by scenario_id, agent and model, with k of 1, 3 and
 * 5, all failures, assertions and details. */
struct tally_plan tally_plan_default(void);

/* Starts an empty tally. What the plan points to must outlive the tally, whose
 * address must not change from then on. */
void tally_start(struct tally *, const struct tally_plan *);

/* Counts a run. If behaviour or assertions are counted, result_read_details() was called on the
 * run. Temporary memory is taken from the arena. */
void tally_add(struct tally *, const struct result *, struct arena *);

/* Adds the counts of `from`, a tally with the same plan. Temporary memory is
 * taken from the arena. */
void tally_merge(struct tally *, struct tally *from, struct arena *);

/* Takes a run, or a tally, into run_id, first_start and last_start. Absent and
 * empty texts do not count. */
void tally_origin(
    struct tally *, struct str run_id, struct str first, struct str last);

/* Notes the judge of a verdict. */
void tally_judged_by(struct tally *, struct str judge);

/* Notes a model that has no price. */
void tally_unpriced(struct tally *, struct str model);

/* Writes the member "unpriced", the list of these models. */
void tally_put_unpriced(struct out *, const struct tally *);

/* Returns the task of these names (one for each of task_by), which is made if
 * there is none. */
struct tally_group *tally_task(
    struct tally *, const struct str *names, struct arena *moment);

/* Sums up groups and total, and sorts the failures, and tasks and groups by
 * their names (by bytes, absent names last). */
void tally_finish(struct tally *);

/* Return what MCPLab's files record for all the runs: an id, "mcpl" if no
 * record has one; a time, in 1970 if none is recorded; and a hash of the
 * assertions, in place of a hash of their file. */
struct str tally_run_id(const struct tally *);
struct str tally_first_start(const struct tally *);
struct str tally_last_start(const struct tally *);
struct str tally_config_hash(const struct tally *, struct arena *);

void tally_free(struct tally *);
