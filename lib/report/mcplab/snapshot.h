/* MCPLab's snapshots of runs that all passed, schema version 2: what later
 * runs are held against. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "io/out.h"
#include "report/tally/tally.h"
#include "json/json.h"

struct snapshot {
	struct str id;
	const struct json *items; /* a list of objects */
};

/* Reads a file. False after a message if it is no such snapshot. */
bool snapshot_read(struct snapshot *, const char *path, struct arena *);

/* Whether one can be made of the tally, which is finished: there are runs, all
 * passed and all have a scenario. */
bool snapshot_fits(const struct tally *);

/* Writes one of such a tally. */
void snapshot_write(struct out *, const struct tally *, struct arena *);
