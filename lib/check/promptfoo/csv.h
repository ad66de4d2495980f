/* Tests in a CSV file, as promptfoo reads them. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "yaml/policy.h"

/* Returns whether the path is that of a program (.js, .py and so on), which is
 * not run. */
bool promptfoo_is_program(struct str path);

/*
 * Returns the tests as a JSON list, in which each test is on the line of its
 * row. The columns __expected... are assertions of one of the types;
 * __description, __threshold, __metric, __prefix, __suffix, __config:... and
 * __metadata:... are what their names say; others are vars. Mistakes are
 * reported with the file's name.
 */
struct str promptfoo_csv(struct str text, const char *file,
    struct str_list types, struct policy *, struct arena *);
