/*
 * Finds the files that record the same runs: the files of an exporter that begins a
 * new file when one is full, the pages of an export, a session that a second
 * file continues. A format says by which id its records belong together
 * (shared_session and shared_keys of
 * struct log_format). A first pass over the files searches for these
 * ids without reading JSON; a format is only asked where two files have an id in
 * common.
 */
#pragma once

#include "extract/log_reader.h"

/* Returns the files (NULL-terminated) as groups, in the arena: a NULL-terminated
 * list of lists, each of which ends in NULL. Files of one group record the same
 * runs and are to be read as if they were one file. A group comes where its first
 * file came. A regular file that has several names in the list is in one group,
 * once. Adds all files to `given`, and notes
 * the regular ones there (fileset_compare). Files that cannot be read twice, such as pipes,
 * are alone in their groups. */
char ***file_groups(struct arena *, const struct extract_job *, char **files,
    struct fileset *given);

/* Like file_groups, but the files of sub-agents are in the group of the file that they
 * belong to, so that each group can be read by a program of its own. */
char ***file_tasks(struct arena *, const struct extract_job *, char **files);
