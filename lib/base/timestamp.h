/* Points in time as logs write them: RFC 3339 text, or a count since 1970. */
#ifndef WHEN_H
#define WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Milliseconds since 1970 of an RFC 3339 time. A blank may stand for T, and
 * a time without an offset is taken for UTC. False if it is none. */
bool when_text(struct str, int64_t *ms);

/* A minute in which a time was, as it was written; zeroed: none. */
struct when_minute {
	char text[16]; /* 2026-03-01T10:15 */
	int64_t ms;    /* since 1970, when it began, if in UTC */
};

/* when_text for times in a row, most of which are in the minute of the one
 * before: takes half as long then. */
bool when_text_near(struct str, struct when_minute *, int64_t *ms);

/* The same of a number: seconds, milliseconds, microseconds or nanoseconds,
 * whichever puts it between 1973 and 2286. */
bool when_number(double, int64_t *ms);

/* RFC 3339, UTC, with milliseconds: 2026-03-01T10:15:00.000Z */
enum { WHEN_SIZE = 40 };
struct str when_print(int64_t ms, char buf[WHEN_SIZE]);
/* The same for times in a row, as when_text_near. */
struct str when_print_near(
    int64_t ms, struct when_minute *, char buf[WHEN_SIZE]);

#endif
