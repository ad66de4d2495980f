/* A check of a run as a test case for CI programs: the texts that JUnit's XML,
 * TAP, CTRF and SARIF share. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/gate.h"
#include "report/tally/result.h"

/* Returns the key of the run's pieces in the external sort: scenario, agent,
 * model, run index and id. The key begins with test_case_suite() and a NUL. */
struct str test_case_order(const struct result *, struct arena *);

/* Returns the name of the suite of a scenario's test cases: the scenario, made
 * safe to print. */
struct str test_case_suite(const struct result *, struct arena *);

/* Returns "LABEL (AGENT, run INDEX)", not made safe to print; the run's id if
 * it has no index. */
struct str test_case_name(
    const struct result *, const struct result_check *, struct arena *);

/* Returns whether the check did not pass, but is too mild to change the exit
 * status: programs that read test cases must not fail because of the check. */
bool test_case_is_mild(const struct gate *, const struct result_check *);

/* Returns the first line of the reason; without a reason, the status. */
struct str test_case_message(const struct result_check *);

/* Returns "warning: MESSAGE" or "note: MESSAGE" of a check that is milder than an
 * error. */
struct str test_case_mild_message(const struct result_check *, struct arena *);

/* Returns the whole reason, then lines with the places of the check and the
 * run. */
struct str test_case_details(
    const struct result *, const struct result_check *, struct arena *);

/* Returns the duration of the check's test case in microseconds: the run's
 * duration for the first check, 0 for the others, so that the durations add
 * up. */
int64_t test_case_time(const struct result *, const struct result_check *);
