/* The JSON text of values that were read from YAML. */
#pragma once

#include "yaml/values.h"

/*
 * Sets text and flags of all values, so that a container's text holds that of
 * what is in it. `typed` has, by index, the JSON text of scalars other than
 * strings of their own text; NULL: there are none.
 */
void yaml_render(struct yaml *, const struct str *typed);
