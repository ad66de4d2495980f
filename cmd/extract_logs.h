/* The logs of the agents on this machine: --logs, --mine, and the first screen of
 * mcpl-extract. */
#pragma once

#include "cmd/cli.h"
#include "extract/find_logs.h"

struct extract_logs {
	bool list, json;      /* --logs, --logs=json */
	bool mine;            /* --mine */
	const char *programs; /* separated by commas; NULL: all */
};

/* Sets --mine, or --logs. Ends the program with status 2 for a wrong argument. */
void extract_logs_set(
    struct extract_logs *, const struct cli *, bool mine, const char *argument);

/* With --logs, prints the logs that were changed at `since` or later, and ends the
 * program. Files beside --logs or --mine are wrong usage. */
void extract_logs_check(const struct extract_logs *, const struct cli *,
    char **files, int64_t since);

/* Prints the logs, and the command to type next, and ends the program. Returns if
 * there are none, after the function said where it looked. */
void extract_logs_screen(const struct cli *);

/* Returns the files for --mine (NULL-terminated). Reports as an error that there are
 * none, unless all of them are older than walk->since. */
char **extract_logs_mine(const struct extract_logs *, struct log_search *walk);

/* Warns that the search found no log: none in the first of the files, a folder, or with
 * --mine none on this machine, that changed in time. After an error, says nothing. */
void extract_logs_warn_none(
    const struct extract_logs *, const struct log_search *, const char *file);
