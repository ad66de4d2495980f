/* Points in time as logs write them: RFC 3339 text, or a number since 1970. All
 * functions use milliseconds since 1970-01-01 UTC. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Reads an RFC 3339 time. A blank may replace the T, and a time without an
 * offset is taken for UTC. Returns false for any other text. */
bool timestamp_text(struct str, int64_t *ms);

/* The minute of the time that was read or printed last; zeroed at first. */
struct timestamp_minute {
	char text[16]; /* 2026-03-01T10:15 */
	int64_t ms;    /* when the minute begins, if in UTC */
};

/* Like timestamp_text, for a sequence of times, most of which lie in the same
 * minute as the time before: these take half as long. */
bool timestamp_text_near(struct str, struct timestamp_minute *, int64_t *ms);

/* Reads a number of seconds, milliseconds, microseconds or nanoseconds since
 * 1970: the unit is the one that puts the time between 1973 and 2286. Returns
 * false if no unit does. */
bool timestamp_number(double, int64_t *ms);

/* Prints the time as RFC 3339 in UTC with milliseconds:
 * 2026-03-01T10:15:00.000Z. The result lies in buf, and ends in NUL. */
enum { TIMESTAMP_SIZE = 40 };
struct str timestamp_print(int64_t ms, char buf[TIMESTAMP_SIZE]);
/* Like timestamp_print, for a sequence of times as in timestamp_text_near. */
struct str timestamp_print_near(
    int64_t ms, struct timestamp_minute *, char buf[TIMESTAMP_SIZE]);
