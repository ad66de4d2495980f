/* MCPLab's snapshots, schema version 2: runs that all passed, with which later
 * runs are compared. */
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

/* Reads a file. Returns false after a message if the file is no such
 * snapshot. */
bool snapshot_read(struct snapshot *, const char *path, struct arena *);

/* Returns whether a snapshot can be made of a finished tally: there are runs,
 * all passed, and all have a scenario. */
bool snapshot_fits(const struct tally *);

/* Writes a snapshot of a tally that snapshot_fits(). */
void snapshot_write(struct out *, const struct tally *, struct arena *);
