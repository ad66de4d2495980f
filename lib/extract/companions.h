/*
 * Files that are read with another one, and those that wait for it. Which a
 * file is depends on the files before it. Who reads a part of them does not
 * know these: what it asked is noted, and who puts the parts together, in
 * order, sees whether the answers would have been others.
 */
#pragma once

#include "io/fileset.h"

/* Zeroed, with an arena, no file was read. */
struct companions {
	struct arena *arena;
	const struct fileset *given; /* the files that are to be read */
	bool part;                   /* of these: what is asked is noted */

	/* private */
	struct fileset closed;     /* those that were read */
	struct fileset beside;     /* files that were read with another one */
	struct hash_table waiting; /* by their owner */
	struct companions_note *notes;
	size_t n;
};

/* The file was read; or it is read now, with another one; or it is read when
 * its owner is, which is among those given. */
void companions_close(struct companions *, const char *path);
void companions_read_beside(struct companions *, const char *path);
void companions_postpone(
    struct companions *, const char *path, const char *owner);

bool companions_is_closed(struct companions *, const char *path);
bool companions_is_beside(struct companions *, const char *path);

/* Files that wait for their owner, in order. */
struct companions_waiting {
	const char **paths;
	size_t n;
};

/* NULL: none. */
const struct companions_waiting *companions_waiting(
    struct companions *, const char *owner);

/* How many files were read with others. */
size_t companions_beside(const struct companions *);

/* Whether the part's answers would have been the same, had it known of the
 * files before. */
bool companions_agrees(struct companions *, const struct companions *part);

/* What the part came to is known from now on; its notes are forgotten. */
void companions_add(struct companions *, struct companions *part);
