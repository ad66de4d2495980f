/* Files, each known by what it is and not by how it is called. */
#ifndef FILESET_H
#define FILESET_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

/* Zeroed, with an arena, it is empty. */
struct fileset {
	struct arena *arena;
	struct fileset_id *list;
	size_t n;
};

/* Adds the file, if there is such a file. */
void fileset_add(struct fileset *, const char *path);

/* Whether it was added. */
bool fileset_has(const struct fileset *, const char *path);

#endif
