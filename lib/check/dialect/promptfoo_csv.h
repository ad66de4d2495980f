/* Tests in a CSV file, as promptfoo reads them. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "yaml/policy.h"

struct out;

/*
 * Returns the tests as a JSON list, in which each test is on the line of its
 * row. The columns __expected... are assertions, __description, __threshold,
 * __metric, __prefix, __suffix, __config:... and __metadata:... what their names
 * say; others are vars. Mistakes are reported with the file's name.
 */
struct str promptfoo_csv(
    struct str text, const char *file, struct policy *, struct arena *);

/* Writes the assertion that a cell of the column __expected is, as an object.
 * `metric` may be absent, `threshold` NULL. */
void promptfoo_expected(struct out *, struct str cell, struct str metric,
    const double *threshold, struct arena *);
