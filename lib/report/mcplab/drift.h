/* The drift of runs from a snapshot of MCPLab (schema version 2), scored as
 * MCPLab scores it. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "io/out.h"
#include "report/mcplab/snapshot.h"
#include "report/tally/tally.h"

enum drift_status {
	DRIFT_MATCH,
	DRIFT_WARN,
	DRIFT_DRIFT,
	DRIFT_STATUSES,
};

const char *drift_status_name(enum drift_status); /* Returns "Match". */

struct drift_row {
	struct str scenario;
	struct str_list was_agents, now_agents;
	enum drift_status status;
	double score, tools, extracts, semantics; /* 0 to 1, two decimals */
	struct str_list reasons;                  /* in MCPLab's words */
};

struct drift {
	struct str snapshot;    /* its id */
	double score;           /* the mean of the rows' scores */
	struct drift_row *list; /* in the order of the snapshot */
	size_t n;
	size_t status[DRIFT_STATUSES]; /* the number of rows with each status */
};

/* Writes the drift as a JSON object. */
void drift_write(struct out *, const struct drift *);

/* Scores a finished tally. */
struct drift drift_from(
    const struct snapshot *, const struct tally *, struct arena *);
