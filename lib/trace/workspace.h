/*
 * The folder that a run left behind. What authors of assertions write as paths
 * stays within it (deviation E1): also symbolic links do not lead out.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"

enum workspace_found {
	WORKSPACE_THERE,
	WORKSPACE_MISSING, /* or it cannot be looked at */
	WORKSPACE_OUTSIDE, /* the path would leave the folder */
};

bool workspace_exists(const char *folder);

/* The path without "." and "..", taken out by their text, and slashes that do
 * not count; "." if nothing is left. False if it leads up, or holds a NUL. */
bool workspace_clean(struct arena *, struct str path, struct str *cleaned);

/*
 * Looks a path up as Go's filepath.Join and stat would: "." and ".." are taken
 * out by their text, a slash at either end does not count, symbolic links are
 * followed. *fd is open (O_PATH, close it) where it is there; NULL: only look.
 */
enum workspace_found workspace_look(
    struct arena *, const char *folder, struct str path, int *fd);

/* A file, or its first `most` bytes, in the arena. Not there if it is no file
 * that can be read. */
enum workspace_found workspace_read(struct arena *, const char *folder,
    struct str path, size_t most, struct str *text);

/* The path of a folder within the folder, with its links followed. */
enum workspace_found workspace_folder(
    struct arena *, const char *folder, struct str path, struct str *found);
