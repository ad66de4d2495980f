/*
 * The folder that a run left behind. Paths that authors of assertions write
 * stay within that folder (a deviation; see mcpl-spec(5)), even through symbolic links.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

enum workspace_found {
	WORKSPACE_THERE,
	WORKSPACE_MISSING, /* or the system refuses access */
	WORKSPACE_OUTSIDE, /* the path would leave the folder */
	WORKSPACE_LARGE,   /* the file is larger than asked for */
};

bool workspace_exists(const char *folder);

/* Stores the path without ".", ".." and redundant slashes, removed textually,
 * in the arena; "." if nothing is left. Returns false if the path leads out of
 * the folder, or contains a NUL. */
bool workspace_clean(struct arena *, struct str path, struct str *cleaned);

/*
 * Looks a path up as Go's filepath.Join and stat do: "." and ".." are removed
 * textually, a slash at either end is ignored, symbolic links are followed. If
 * the path is there, *fd becomes an open descriptor (O_PATH), which the caller
 * closes; `fd` may be NULL.
 */
enum workspace_found workspace_look(
    struct arena *, const char *folder, struct str path, int *fd);

/* Reads a file, or its first `most` bytes, into the arena. The result is
 * WORKSPACE_MISSING if the path is not a regular file, or cannot be read. */
enum workspace_found workspace_read(struct arena *, const char *folder,
    struct str path, size_t most, struct str *text);

/* Like workspace_read, but a file of more than `most` bytes is not read and the
 * result WORKSPACE_LARGE. */
enum workspace_found workspace_read_whole(struct arena *, const char *folder,
    struct str path, size_t most, struct str *text);

/* Stores the path of a folder within the folder, with links followed. */
enum workspace_found workspace_folder(
    struct arena *, const char *folder, struct str path, struct str *found);
