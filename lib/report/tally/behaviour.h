/*
 * The comparison of what runs did and used with a baseline: amounts (tokens,
 * cost, time, calls, failed calls, length of the answer) and the runs that
 * called each tool, for each scenario and agent, and for each agent over the
 * scenarios that both sides have. Runs need no status.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "report/tally/compare_task.h"

/* Returns the name of an amount: "cost_usd", "failed_calls". */
const char *behaviour_name(int amount);

enum behaviour_change {
	BEHAVIOUR_MORE, /* of a tool: in more runs */
	BEHAVIOUR_LESS,
	BEHAVIOUR_ADDED, /* a tool that no run of the baseline called */
	BEHAVIOUR_GONE,
	BEHAVIOUR_SAME,
	BEHAVIOUR_CHANGES,
};

/* Returns the name of a change: "more", "new". */
const char *behaviour_change_name(enum behaviour_change);

struct behaviour_amount {
	enum behaviour_change change;
	bool counts; /* as a rise for the gate */
	int amount;
	/* s is NULL: absent; `total`: of all scenarios of the agent */
	struct str scenario, agent;
	bool total;
	size_t n[2];    /* runs; of a total: scenarios */
	double mean[2]; /* in the unit of the record's member */
	/* The ratio of the means and its interval at 95 % confidence. NAN:
	 * unknown; the ratio is INFINITY if the baseline's mean is 0. */
	double ratio, low, high;
};

struct behaviour_tool {
	enum behaviour_change change;
	bool counts; /* as a change of tools for the gate */
	struct str tool, scenario, agent;
	bool total;
	size_t runs[2], n[2]; /* the runs that called the tool, of all */
	double p; /* of Fisher's test, corrected for the number of tools that
		   * were compared; NAN: not tested */
};

struct behaviour {
	double margin; /* of a change that counts: 0.2 is 20 % */
	bool same;     /* keep the rows of what is the same */

	/* Set by behaviour_compare(): the rows that are kept, those that count
	 * first, then by agent, totals before scenarios. */
	struct behaviour_amount *amounts;
	size_t n_amounts;
	struct behaviour_tool *tools;
	size_t n_tools;
	size_t usage, tool_changes; /* rows that count */
	/* all rows, by their change */
	size_t amounts_by[BEHAVIOUR_CHANGES], tools_by[BEHAVIOUR_CHANGES];
};

/* Compares tasks of tallies that counted behaviour. The rows live in the arena. */
void behaviour_compare(
    struct behaviour *, const struct compare_tasks *, struct arena *);
