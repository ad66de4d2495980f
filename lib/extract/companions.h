/*
 * Files that are read with another one, and those that wait for it. Which a
 * file is depends on the files before it. Who reads a part of them does not
 * know these: what it asked is noted, and who puts the parts together, in
 * order, sees whether the answers would have been others.
 */
#ifndef KIN_H
#define KIN_H

#include "io/fileset.h"

/* Zeroed, with an arena, no file was read. */
struct kin {
	struct arena *arena;
	const struct fileset *given; /* the files that are to be read */
	bool part;                   /* of these: what is asked is noted */

	/* private */
	struct fileset closed;     /* those that were read */
	struct fileset beside;     /* files that were read with another one */
	struct hash_table waiting; /* by their owner */
	struct kin_note *notes;
	size_t n;
};

/* The file was read; or it is read now, with another one; or it is read when
 * its owner is, which is among those given. */
void kin_close(struct kin *, const char *path);
void kin_read_beside(struct kin *, const char *path);
void kin_postpone(struct kin *, const char *path, const char *owner);

bool kin_is_closed(struct kin *, const char *path);
bool kin_is_beside(struct kin *, const char *path);

/* Files that wait for their owner, in order. */
struct kin_waiting {
	const char **paths;
	size_t n;
};

/* NULL: none. */
const struct kin_waiting *kin_waiting(struct kin *, const char *owner);

/* How many files were read with others. */
size_t kin_beside(const struct kin *);

/* Whether the part's answers would have been the same, had it known of the
 * files before. */
bool kin_agrees(struct kin *, const struct kin *part);

/* What the part came to is known from now on; its notes are forgotten. */
void kin_add(struct kin *, struct kin *part);

#endif
