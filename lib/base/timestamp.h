/* Points in time as logs write them: RFC 3339 text, or a count since 1970. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Milliseconds since 1970 of an RFC 3339 time. A blank may stand for T, and
 * a time without an offset is taken for UTC. False if it is none. */
bool timestamp_text(struct str, int64_t *ms);

/* A minute in which a time was, as it was written; zeroed: none. */
struct timestamp_minute {
	char text[16]; /* 2026-03-01T10:15 */
	int64_t ms;    /* since 1970, when it began, if in UTC */
};

/* timestamp_text for times in a row, most of which are in the minute of the one
 * before: takes half as long then. */
bool timestamp_text_near(struct str, struct timestamp_minute *, int64_t *ms);

/* The same of a number: seconds, milliseconds, microseconds or nanoseconds,
 * whichever puts it between 1973 and 2286. */
bool timestamp_number(double, int64_t *ms);

/* RFC 3339, UTC, with milliseconds: 2026-03-01T10:15:00.000Z */
enum { TIMESTAMP_SIZE = 40 };
struct str timestamp_print(int64_t ms, char buf[TIMESTAMP_SIZE]);
/* The same for times in a row, as timestamp_text_near. */
struct str timestamp_print_near(
    int64_t ms, struct timestamp_minute *, char buf[TIMESTAMP_SIZE]);
