/* Writes a first map (mcpl-map(5)) for a log that nobody knows, from the names
 * and shapes of its members. */
#pragma once

#include "io/out.h"
#include "json/json.h"

struct draft {
	struct arena arena; /* holds the records */
	const struct json **records;
	size_t n;
};

/* Adds a copy of a record; returns whether more records are of use. A zeroed
 * draft has none. */
bool draft_add(struct draft *, const struct json *record);

/* Writes the map. Returns false, and writes nothing, if nothing in the log
 * looks like a run of an agent. */
bool draft_write(struct draft *, struct out *);

void draft_free(struct draft *);
