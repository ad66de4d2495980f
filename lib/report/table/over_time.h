/* The table and the sentences of --history: trends, changes and states. */
#pragma once

#include "report/tally/history.h"
#include "text/table.h"

enum { OVER_TIME_SPARK = 30 }; /* cells of a trend */

/* Returns the series: state, runs, pass rate, cost and time since the last change of
 * each with intervals, pass^k, and trends. A trend has a mark for each point of time,
 * the latest at its end. */
struct table over_time_table(
    struct arena *, const struct history *, size_t most);

/* Returns whether the column has the trend of a measure: of the first, the second and
 * the third, in this order. */
bool over_time_is_trend(const struct table *, size_t column);

/* Returns "12 points of time from 2026-03-01 to 2026-03-12: ..." with the runs that
 * have no place in them. */
struct str over_time_points(struct arena *, const struct history *);

/* Returns "6 series: 1 broken, 2 flaky, 3 passing"; absent if there is none. */
struct str over_time_states(struct arena *, const struct history *);

/* Returns a sentence for each change, "pass rate of refund-flow (sonnet): 95% (190 of
 * 200) before, 61% (18 of 30) since the runs of 2026-03-12 (p < 0.001)", and for each
 * series that is broken or failing; those of pass rates first. `most` changes are named;
 * a last sentence counts the others. */
struct str_list over_time_changes(
    struct arena *, const struct history *, size_t most);

/* Returns the amount of a measure that is no rate, such as $0.0123. */
struct str over_time_amount(struct arena *, enum history_measure, double);
/* Returns the measure's name for people: "pass rate". */
const char *over_time_measure(enum history_measure);
/* Returns the day of the point, and its file if other points have that day. */
struct str over_time_point(struct arena *, const struct history_point *);
