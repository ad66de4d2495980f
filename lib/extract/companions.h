/*
 * Files that are read together with another file, their owner, and files that
 * wait for their owner. The answers depend on the files that were read before.
 * A worker that reads a part of the files does not know the earlier files: it
 * notes its questions, and whoever joins the parts in order finds out whether
 * the answers would have been different.
 */
#pragma once

#include "io/fileset.h"

/* Initialized by zeroes and an arena. */
struct companions {
	struct arena *arena;
	const struct fileset *given; /* all files that are to be read */
	bool part;                   /* reads a part of the files: notes its
				      * questions */

	/* private */
	/* Files that were read; those that were read with another file. */
	struct fileset files[2];
	struct hash_table waiting; /* waiting files, by owner */
	struct companions_note *notes;
	size_t n;
};

/* Notes that the file was read. */
void companions_close(struct companions *, const char *path);

/* Notes that the file is read now, together with another file. */
void companions_read_beside(struct companions *, const char *path);

/* Notes that the file waits until its owner, one of the given files, is read. */
void companions_postpone(
    struct companions *, const char *path, const char *owner);

/* Return whether companions_close, or companions_read_beside, was called for
 * the file. */
bool companions_is_closed(struct companions *, const char *path);
bool companions_is_beside(struct companions *, const char *path);

/* Files that wait for their owner, in order. */
struct companions_waiting {
	const char **paths;
	size_t n;
};

/* Returns the files that wait for the owner, or NULL if there are none. */
const struct companions_waiting *companions_waiting(
    struct companions *, const char *owner);

/* Returns the number of files that were read together with another file. */
size_t companions_beside(const struct companions *);

/* Returns whether the part's questions would have had the same answers if the
 * part had known the earlier files. */
bool companions_agrees(struct companions *, const struct companions *part);

/* Adds what the part noted, and clears the part's notes. */
void companions_add(struct companions *, struct companions *part);
