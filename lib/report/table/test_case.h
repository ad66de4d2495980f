/* A check of a run as the test case that programs of CI take it for: what
 * JUnit's XML, TAP, CTRF and SARIF say alike. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/result.h"

/* The key of the run's pieces in the spool: by scenario, agent, model, number
 * and id. It opens with test_case_suite and NUL. */
struct str test_case_order(const struct result *, struct arena *);

/* What the cases of a scenario stand under: its name, clean. */
struct str test_case_suite(const struct result *, struct arena *);

/* "LABEL (AGENT, run INDEX)", as it is in the data; the run's id where the
 * index is not told. */
struct str test_case_name(
    const struct result *, const struct result_check *, struct arena *);

/* The first line of the reason; without one, the status. */
struct str test_case_message(const struct result_check *);

/* The reason in full, then lines that say where to look. */
struct str test_case_details(
    const struct result *, const struct result_check *, struct arena *);

/* How long the check's case takes: as long as the run for its first one, 0
 * for the others, so that times add up; in microseconds. */
int64_t test_case_time(const struct result *, const struct result_check *);
