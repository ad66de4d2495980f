/*
 * A log format that is made of an author's rules: a file of JSONPaths which
 * say where in a log its runs, turns and steps are, and where in those what a
 * trace tells of them. See mcpl-map(5).
 */
#pragma once

#include "extract/format/format.h"

struct map;

/* Reads the file of rules; what is wrong with it is told. NULL: something is.
 */
struct map *map_read(struct arena *, const char *path);
/* The same of text in memory that has this name. Both outlive the map. */
struct map *map_read_text(struct arena *, const char *name, struct str text);

/* The format, called `map`; it lives as long as the map. */
const struct log_format *map_format(const struct map *);

/* Frees what does not lie in the arena; NULL is fine. */
void map_close(struct map *);
