/*
 * Names of files with the records of sub-agents, which two programs keep in a
 * folder "subagents" that belongs to the session's file.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"

/* Returns the path without its extension ".jsonl". */
struct str subagent_files_stem(const char *path);

/* Returns the folder of the path, with its slash; empty for the current
 * folder. */
struct str subagent_files_folder(const char *path);

/* Returns the offset in path where the name of the folder of sub-agents begins,
 * with its slash, or the path's length if it is not there. The last occurrence
 * counts, since a project may have the same name. */
size_t subagent_files_find(struct str path);

/* Returns the paths (NULL-terminated) of the files below the folder whose names end
 * so, in the arena. Without a folder, there are none. */
char **subagent_files_list(struct arena *, const char *folder, struct str end);
