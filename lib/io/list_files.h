/* The files in a folder and in the folders within it. */
#pragma once

#include "base/arena.h"

struct folder {
	char **paths; /* sorted by bytes, folder by folder */
	size_t n;
};

/* No files if there is no such folder; what cannot be read is told. A folder
 * that links lead to again is read once. */
struct folder list_files(struct arena *, const char *path);
