/*
 * A folder of files that are named by the SHA-256 of their text. Files that were there
 * before stay until all new ones are there, so that whoever names them by content finds
 * either the old ones or the new ones whole.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"

struct content_folder {
	const char
	    *path; /* the caller's; the folder is made with its first file */
	const char *ending; /* of the files' names, such as ".css" */

	/* private */
	struct arena arena;
	struct hash_table written; /* paths; a value: the file is new */
};

/* Writes a file. Returns the digest that its name begins with, which lives as long as the
 * folder; absent, with an error printed, if the file cannot be written. */
struct str content_folder_add(struct content_folder *, struct str text);

/* Frees the folder's memory. Removes the files of other content, if `keep`, else those that
 * were added and had not been there; files with other names stay. */
void content_folder_end(struct content_folder *, bool keep);
