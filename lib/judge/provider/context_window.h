/* The number of tokens that a model takes in one request. */
#pragma once

#include "judge/provider/provider.h"

/*
 * Returns the number of tokens that the model of this name takes, by a table of
 * models that only their makers offer; 0: the name is not in the table. A folder
 * or a host before the name ("models/", "us.anthropic.") does not matter. The
 * numbers are those of models.dev, 2026-07-02: the limit of the input where
 * models.dev has one, otherwise the context.
 */
size_t context_window_of(struct str model);
