/* Finds when a log was written, without reading all of the log. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct log_times {
	int64_t since, until; /* milliseconds since 1970 */
	size_t sessions;      /* in a database; 1: of another file */
};

/* Returns the first time and the last one that the records at the begin and at the end
 * of the file have, or the sessions of a database; the time of the file's last change
 * where they have none. `st` describes the file. */
struct log_times log_times(const char *path, const struct stat *st);
