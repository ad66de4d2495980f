/* What MCPLab's results.json and its summary.md have in common. */
#pragma once

#include "report/format/format.h"
#include "report/mcplab/scenario.h"

enum { MCPLAB_NAMES = 3 }; /* scenario, agent, model: an entry's names */

/* Its entries: scenarios, as one agent with one model ran them. */
struct mcplab_scenarios mcplab_entries(const struct tally *, struct arena *);

/* Runs that were evaluated: they have a status that is not skipped. */
size_t mcplab_evaluated(const struct tally_group *);
/* How many of these passed, as a rate; 0 of none. */
double mcplab_pass_rate(const struct tally_group *);

/* Runs whose calls were not recorded: to MCPLab they have called nothing. */
size_t mcplab_silent(const struct tally_group *);

/* What MCPLab's summaries call this program. */
#define MCPLAB_CLI_VERSION "mcpl-" VERSION
