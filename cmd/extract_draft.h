/* --map-draft: a first map for a log. */
#pragma once

#include "cmd/cli.h"

/* Writes the map to the output of the options. Returns the exit status. */
int extract_draft(const struct cli *, char *log);
