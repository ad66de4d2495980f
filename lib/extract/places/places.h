/* The places where agents keep their logs on this machine. */
#pragma once

#include "extract/find_logs.h"

/* The logs that a program keeps. */
struct log_place {
	const char *program;
	char **folders; /* in which there are logs */
	size_t n_folders;
	char **files;
	size_t n;
	size_t
	    sessions; /* the files that are not a part of another one's session */
	int64_t bytes;
	int64_t since, until; /* milliseconds since 1970, as the files tell */
};

struct log_places {
	struct log_place *list; /* of the programs that have logs */
	size_t n;
	char **searched; /* folders, of which some may not exist */
	size_t n_searched;
	size_t n_more; /* other folders that were searched */
};

/* Returns the names of the programs (NULL-terminated), in the arena. */
const char **log_places_programs(struct arena *);

/* Finds the logs of the programs (words separated by commas; NULL: all programs), with
 * the environment's HOME and the variables of the programs. A file that two programs
 * keep is that of the first. What cannot be read is an error that is printed. */
struct log_places log_places_find(
    struct log_search *, const char *programs, bool measured);
