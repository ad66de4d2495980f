/*
 * A file that appears under its name only when it is whole. Until then it has
 * no name at all, where the system can do that (Linux), so nothing is left
 * behind however the program ends; else it has a name of its own beside it.
 */
#pragma once

#include <stdbool.h>

struct atomic_file {
	int fd;
	char *path;      /* its name to be; NULL: what fd is needs none */
	char *temporary; /* its name until then, or NULL */
};

/*
 * Opens a file for writing, to take the place of what has this name. What is
 * no regular file (a device, a pipe) is written to straight. False, with
 * errno, if it cannot be.
 */
bool atomic_file_open(struct atomic_file *, const char *path);

/* Closes it and gives it its name, or forgets it if `keep` is false. False,
 * with errno, if something went wrong; then nothing has changed. */
bool atomic_file_close(struct atomic_file *, bool keep);
