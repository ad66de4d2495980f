/* Time zones: how far the clocks of a place are ahead of UTC. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A zeroed struct zone is UTC. */
struct zone {
	bool place;  /* the process's zone, as the C library knows it */
	int minutes; /* ahead of UTC, if the zone is no place */
};

/* Returns the zone of the system, or of the variable TZ. The C library takes a place
 * that its database lacks for UTC: *lacking is that place, or NULL. */
struct zone zone_of_system(const char **lacking);

/* Reads UTC, Z, an offset of whole quarters of an hour (+02:00, -0330) or the
 * name of a place in the system's database (Europe/Berlin), which becomes the zone
 * of the process. Returns false for any other name. No thread may have started. */
bool zone_read(struct zone *, const char *name);

/* Returns what the clocks of the zone show at this time, in milliseconds since
 * they showed 1970-01-01. */
int64_t zone_clock(const struct zone *, int64_t ms);
