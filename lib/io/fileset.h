/* Sets of files, which are identified by device and inode and not by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/hash.h"

/* A zeroed set with an arena is empty. */
struct fileset {
	struct arena *arena;

	/* private */
	struct hash_table files, noted;
};

/* Adds the file if it exists. */
void fileset_add(struct fileset *, const char *path);

/* Adds the file that stat described. Returns false if the set has the file
 * already. */
bool fileset_enter(struct fileset *, const struct stat *);

/* Notes the file of this name, which lives as long as the set, as stat described it. */
void fileset_note(struct fileset *, const char *path, const struct stat *);

/* Reports the file of this name as an error if it is shorter than the file that was
 * noted, or another file. A file that had its whole size when it was opened (`had`; 0: it
 * is not open) is not reported: whoever reads the file does that. */
void fileset_compare(const struct fileset *, const char *path, off_t had);

/* Returns whether the set has the file. */
bool fileset_has(const struct fileset *, const char *path);

/* Returns the identity of the file as the key of a hash table, in the arena, or
 * the absent text if there is no such file. */
struct str fileset_key(struct arena *, const char *path);
