/* A scenario as MCPLab's snapshots see it: what all its runs, whoever the
 * agent, called, found and said. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "report/tally/tally.h"

struct mcplab_scenario_value {
	struct str name, text; /* what was found most often, as text */
};

struct mcplab_scenario {
	struct str scenario;
	const struct str *names; /* of its tasks, the first so many of them */
	struct str_list agents, tools;       /* in order */
	struct str_list required, forbidden; /* tools, by assertions */
	struct str_list allowed; /* JSON lists of tools, by assertions */
	struct mcplab_scenario_value *values;
	size_t n_values;
	struct str_list words; /* of the last answer */
	const struct tally_group *runs;
};

struct mcplab_scenarios {
	struct mcplab_scenario *list; /* by scenario */
	size_t n;
};

/* The tally is finished. What has no scenario is left out. */
struct mcplab_scenarios mcplab_scenarios_of(
    const struct tally *, struct arena *);

/* The same of tasks that share so many names (1: the scenario, 2: the agent
 * too), with those that have none. */
struct mcplab_scenarios mcplab_scenarios_by(
    const struct tally *, size_t names, struct arena *);

const struct mcplab_scenario *mcplab_scenario_named(
    const struct mcplab_scenarios *, struct str scenario);
