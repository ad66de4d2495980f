/* A log format defined by a user's rules: a file of JSONPaths that say where a
 * log has its runs, turns and steps, and where these have the members of a
 * trace. See mcpl-map(5). */
#pragma once

#include "extract/format/format.h"

struct map;

/* Reads a file of rules. Reports errors and returns NULL if there are any. */
struct map *map_read(struct arena *, const char *path);
/* Like map_read, for text in memory with this name. Both must outlive the
 * map. */
struct map *map_read_text(struct arena *, const char *name, struct str text);

/* Returns the format, which is called `map` and lives as long as the map. */
const struct log_format *map_format(const struct map *);

/* Frees what is not in the arena. NULL is allowed. */
void map_close(struct map *);
