/* Files, each known by what it is and not by how it is called. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/hash.h"

/* Zeroed, with an arena, it is empty. */
struct fileset {
	struct arena *arena;

	/* private */
	struct hash_table files;
};

/* Adds the file, if there is such a file. */
void fileset_add(struct fileset *, const char *path);

/* Adds the file that this was told of; false if it was added before. */
bool fileset_enter(struct fileset *, const struct stat *);

/* Whether it was added. */
bool fileset_has(const struct fileset *, const char *path);

/* What the file is, as the key of a table; absent if there is no such file. */
struct str fileset_key(struct arena *, const char *path);
