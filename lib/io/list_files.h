/* Lists the files in a folder and in the folders within. */
#pragma once

#include "base/arena.h"

struct folder {
	char **paths; /* sorted by bytes, folder by folder */
	size_t n;
};

/* Returns the regular files below the folder, in the arena. Files and folders
 * whose name begins with a dot are left out. A folder that does not exist has
 * no files; what cannot be read is an error that is printed. A folder that
 * several links lead to is read once. */
struct folder list_files(struct arena *, const char *path);
