/*
 * The runs of earlier times and of the present, in the order of time: how the pass
 * rate, the cost and the time of each scenario and agent went, where they changed,
 * and which scenarios are flaky or broken.
 *
 * A point of the history is the runs of one file that began on one day; the files
 * of the present input count as one file. A partial, which has no single runs, is
 * in the point of its first start.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/zone.h"
#include "redact/redact.h"
#include "report/tally/change_point.h"
#include "report/tally/tally.h"

enum history_measure {
	HISTORY_RATE,
	HISTORY_COST, /* recorded, else estimated */
	HISTORY_TIME,
	HISTORY_MEASURES,
};

/* Returns the name of a measure: "pass rate", "cost_usd", "duration_ms". */
const char *history_measure_name(enum history_measure);

/* A series' state since its last change. */
enum history_state {
	/* no run passed: since a change, or at all */
	HISTORY_BROKEN,
	/* the last runs failed and the ones before passed, but not so many that
	 * chance cannot have it so */
	HISTORY_FAILING,
	HISTORY_FLAKY, /* runs passed and failed, by turns */
	HISTORY_PASSING,
	HISTORY_UNRATED, /* no run was decided */
	HISTORY_STATES,
};

/* Returns the name of a state: "broken". */
const char *history_state_name(enum history_state);

struct history_point {
	size_t number;   /* in the order of time; set by history_finish() */
	int64_t start;   /* of the first run, in ms since 1970 */
	struct str day;  /* in the plan's zone: 2026-03-12 */
	struct str file; /* s is NULL: the present input */
	size_t batch,
	    runs;   /* the file's number, from 1; 0: the present input */
	bool alone; /* no other point has this day */
};

/* The runs of one series in one point. */
struct history_cell {
	struct history_point *point;
	size_t runs, status[STATUS_COUNT];
	struct tally_sum cost, time;
};

struct history_change {
	enum history_measure measure;
	struct change_point at; /* counted in cells */
	bool worse;
};

struct history_series {
	struct str scenario, agent; /* s is NULL: absent */
	struct history_cell **cells;
	size_t n;
	bool now;     /* the present input has a run with a time */
	int64_t last; /* the start of the last of these, in ms since 1970 */

	/* Set by history_finish(). */
	struct change_sample *before[HISTORY_MEASURES]; /* see change_point.h */
	struct history_change *changes; /* by measure, then by cell */
	size_t n_changes;
	size_t since; /* the cell from which on the pass rate did not change */
	enum history_state state;
	size_t
	    state_since; /* the cell with which a failing series began to fail */
	/* The last change of the pass rate is a drop, and a run of the present
	 * input began after the change. */
	bool dropped;
};

struct history {
	/* Set before history_start(). */
	double alpha, margin;
	const bool *filter; /* the statuses that count; NULL: all runs */
	const struct zone *zone;
	struct prices *prices; /* NULL: no cost is estimated */
	size_t k;              /* of pass^k */

	/* Set by history_finish(). */
	struct history_point **points;
	size_t n_points;
	struct history_series **list; /* by state, scenario and agent */
	size_t n;
	size_t states[HISTORY_STATES];
	size_t dropped;
	size_t undated[2]; /* runs without ts_start: of earlier, of the input */
	size_t twice;      /* runs that had come before */

	/* private */
	size_t batch, batches;
	struct str file;
	struct arena arena;
	struct hash_table table;
	struct hash_set seen;
	pthread_mutex_t lock;
};

/* Makes the history ready for runs. The address of the struct must not change from
 * then on. */
void history_start(struct history *);

/* Reads a file of earlier runs, as earlier_read() does. */
void history_read(struct history *, char *path, size_t max_line,
    struct redact *, size_t jobs);

/* Adds a run of the present input; several threads may call it. Adds a partial of the
 * present input, which was read without an error. */
void history_add(struct history *, const struct result *, struct arena *moment);
bool history_add_partial(
    struct history *, const struct json *, struct place, struct arena *moment);

/* Finds the changes and the states. Reports as an error if no earlier run has a
 * time. */
void history_finish(struct history *);

/* Returns whether an earlier run passed or failed: without such a run there is no
 * drop. */
bool history_was_checked(const struct history *);

/* Returns the sum of a measure over the cells from `from` to before `to`. */
struct change_sample history_between(const struct history_series *,
    enum history_measure, size_t from, size_t to);

/* Return the pass rate, or the mean amount, and its interval at 95 % confidence; NAN
 * where they are not known. */
double history_value(enum history_measure, const struct change_sample *);
struct stats_interval history_interval(
    enum history_measure, const struct change_sample *);

/* Returns the first cell of the series after its last change of the measure. */
size_t history_since(const struct history_series *, enum history_measure);

/* Writes the history as JSON, for the member "history" of the json report. */
void history_write(struct out *, const struct history *);

void history_free(struct history *);
