/* Lists the files in a folder and in the folders within. */
#pragma once

#include "base/arena.h"

struct folder {
	char **paths; /* sorted by bytes, folder by folder */
	size_t n;
	char **hidden; /* folders that were left out for their names */
	size_t n_hidden;
};

/* Returns the regular files below the folder, in the arena. Files and folders
 * whose name begins with a dot are left out. A folder that does not exist has
 * no files; what cannot be read is an error that is printed. A folder that
 * several links lead to is read once. */
struct folder list_files(struct arena *, const char *path);

/* Like list_files, but does not leave out files with these names, which are separated
 * by blanks, though they begin with a dot. */
struct folder list_files_and(
    struct arena *, const char *path, const char *hidden);

/* Like list_files, but returns at most that many files, and leaves out the files
 * and folders that the user may not read. */
struct folder list_readable_files(
    struct arena *, const char *path, size_t most);
