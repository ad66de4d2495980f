/* The author's programs in promptfoo's assertions; private to this folder. */
#pragma once

#include "check/program/program.h"
#include "check/promptfoo/promptfoo.h"

/* Returns the members of the context that are the same for all runs of the test, the
 * vars of which are known; `config` is the assertion's, or NULL. */
struct str promptfoo_context(
    const struct promptfoo_test *, const struct json *config, struct arena *);

/* Writes the vars, which are known, as members. */
void promptfoo_put_vars(struct out *, const struct promptfoo_vars *);

/* Returns the arguments of a program, a JSON list: the output, which is JSON, and the
 * context with these constant members. `prompt` stands for one that was not
 * recorded. */
struct str promptfoo_arguments(
    struct view *, struct str output, struct str constant, struct str prompt);

/* Returns the check, with the answer changed by the assertion's key `transform`
 * before the check looks at it. */
struct check promptfoo_transformed(struct fields *, struct check);
