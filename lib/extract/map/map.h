/* A log format defined by a user's rules: a file of JSONPaths that say where a
 * log has its runs, turns and steps, and where these have the members of a
 * trace. See mcpl-map(5). */
#pragma once

#include "extract/format/format.h"

struct map;

/* The most that the key `score` may give. */
enum { MAP_SCORE_MAX = 1000 };

/* Reads a file of rules for a format called `map`. Reports errors and returns
 * NULL if there are any. */
struct map *map_read(struct arena *, const char *path);
/* Like map_read, for a map that was found by itself: its format has this name,
 * which must live as long as the arena, and is described with its file. */
struct map *map_read_named(struct arena *, const char *path, const char *name);
/* Like map_read, for text in memory with this name that is known to have no
 * mistakes. Both must outlive the map. This function may be called while other
 * threads run; map_read takes an error that another thread reports meanwhile for
 * a mistake in the map. */
struct map *map_read_known(struct arena *, const char *name, struct str text);

/* Returns the score of a record for the map: see struct log_format. */
int map_score(const void *map, const struct json *record);

/* Returns the format, which lives as long as the map. */
const struct log_format *map_format(const struct map *);

/* Frees what is not in the arena. NULL is allowed. */
void map_close(struct map *);
