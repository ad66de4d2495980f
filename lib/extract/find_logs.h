/*
 * Folders among the files of a command stand for the logs in them, and in the
 * folders within, in the order of their names: files of JSON by their names'
 * ends, compressed or not.
 */
#pragma once

#include <stdint.h>

#include "io/fileset.h"

struct walk {
	struct arena *arena;
	/* Files that were last changed before are left out; milliseconds since
	 * 1970, INT64_MIN: none are. */
	int64_t since;

	/* told */
	struct fileset found; /* files that folders stood for */
	size_t n;             /* ... and how many these are */
	size_t n_older;       /* that were left out for their age */
};

/* The files with what is in folders in place of these, NULL-terminated; the
 * list itself if there is no folder in it. */
char **walk_files(struct walk *, char **files);
