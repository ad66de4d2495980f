/*
 * A file that appears under its name only when it is complete. Until then the
 * file has no name at all, where the system supports that (Linux), so that
 * nothing is left behind however the program ends. Elsewhere it has a temporary
 * name in the same folder.
 */
#pragma once

#include <stdbool.h>

struct atomic_file {
	int fd;
	char *path;      /* the final name; NULL if fd needs none */
	char *temporary; /* the name until then, or NULL */
};

/*
 * Opens a file for writing that will replace the file of this name. If the name
 * belongs to a device or a pipe, opens that for writing. Returns false, with
 * errno, on failure.
 */
bool atomic_file_open(struct atomic_file *, const char *path);

/* Closes the file and gives it its name, or discards it if `keep` is false.
 * Returns false, with errno, on failure; then the old file is unchanged. */
bool atomic_file_close(struct atomic_file *, bool keep);
