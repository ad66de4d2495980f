/* Replaces the folders among a command's files with the logs in them and in
 * their sub-folders, ordered by name. A file counts as a log if its name has the
 * ending of a JSON file or .eval, .traj or .af, compressed or not, and is not one
 * that agents keep beside their logs; a file whose name ends in .txt or
 * .log, or has no ending, counts if its content looks like records; so does a file that
 * ends in .db, .sqlite, .sqlite3 or .vscdb, if it is a database of an agent. */
#pragma once

#include <stdint.h>

#include "io/fileset.h"

struct log_search {
	struct arena *arena;
	/* Files that were last changed before this time are left out;
	 * milliseconds since 1970, INT64_MIN: none are left out. */
	int64_t since;

	/* results */
	struct fileset found; /* files that were found in folders */
	size_t n;             /* number of these files */
	char **hidden;        /* hidden folders, which were passed over */
	size_t n_hidden;
	size_t n_older; /* files left out for their age, but .txt, .log and
			       * those without an ending */
};

/* Returns the files (NULL-terminated) with each folder replaced by the logs in
 * it; returns the list itself if there is no folder in it. */
char **find_logs(struct log_search *, char **files);

/* Returns the logs in the folder (NULL-terminated), as find_logs finds them, that have
 * one of the patterns (find_logs_matches); those in hidden folders that are named
 * `hidden` (words separated by blanks) too. A path that is a file is returned itself. */
char **find_logs_in(struct log_search *, const char *folder,
    const char *patterns, const char *hidden);

/* Returns whether a path, relative to a folder, has one of the patterns of fnmatch(3),
 * which are separated by blanks, and none of those after a '!'. A pattern that begins
 * with a slash is for the whole path, any other one for the name of the file. */
bool find_logs_matches(const char *patterns, const char *path);

/* Warns of hidden folders that were passed over, if some have logs. */
void find_logs_warn_hidden(const struct log_search *);

/* Warns that the folder has no logs, and of hidden folders. */
void find_logs_warn_none(const struct log_search *, const char *folder);

/* Warns of each of these files, but standard input and folders, that is empty but
 * for a few blanks. */
void find_logs_warn_empty(char *const *files);
