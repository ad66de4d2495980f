/* Parameters of --param, which the user adds to each request, such as
 * reasoning_effort=low. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/*
 * Adds a parameter, "NAME=VALUE", to the object of parameters (JSON; absent: none
 * yet), in the arena. A dot in NAME stands for a member of a member. VALUE is JSON,
 * or else a text. A later parameter of the same name replaces the earlier one.
 * Returns false and sets *wrong if the argument has another form, or names a member
 * that mcpl-judge itself writes.
 */
bool params_add(
    struct str *params, struct arena *, struct str argument, struct str *wrong);

/* Returns the body with the members of the parameters, in the arena: an object
 * that both have has the members of both, and any other value is the parameter's.
 * Without parameters, returns the body itself. */
struct str params_merge(struct arena *, struct str body, struct str params);
