/* A scenario as MCPLab's snapshots see it: what all its runs, of any agent,
 * called, extracted and answered. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/tally.h"

struct mcplab_scenario_value {
	struct str name, text; /* the value that was extracted most often */
};

struct mcplab_scenario {
	struct str scenario;
	const struct str *names; /* names shared by the scenario's tasks */
	struct str_list agents, tools;       /* in order */
	struct str_list required, forbidden; /* tools named by assertions */
	struct str_list allowed; /* JSON lists of tools named by assertions */
	struct mcplab_scenario_value *values;
	size_t n_values;
	struct str_list words; /* of the last answer */
	const struct tally_group *runs;
};

struct mcplab_scenarios {
	struct mcplab_scenario *list; /* by scenario */
	size_t n;
};

/* Returns the scenarios of a finished tally. Runs without a scenario are left
 * out. */
struct mcplab_scenarios mcplab_scenarios_of(
    const struct tally *, struct arena *);

/* Like mcplab_scenarios_of(), but groups the tasks that share the first `names`
 * names (1: the scenario, 2: also the agent), and includes runs without a
 * scenario. */
struct mcplab_scenarios mcplab_scenarios_by(
    const struct tally *, size_t names, struct arena *);

const struct mcplab_scenario *mcplab_scenario_named(
    const struct mcplab_scenarios *, struct str scenario);
