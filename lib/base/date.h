/* Points in time as yaml.v3 takes them from plain scalars, and as Go writes
 * them in JSON. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

struct date {
	int year, month, day, hour, minute, second;
	struct str fraction; /* digits of the text, the last not 0; or absent */
	int offset;          /* from UTC, in minutes */
};

/* A day (2024-1-15), also with a time of the day after blanks, or with one and
 * a zone after a T or t. False if the text is no such thing. */
bool date_read(struct date *, struct str text);

/* How many days a month has, 1 to 12 of the Gregorian calendar. */
int date_days_in(int year, int month);

/* RFC 3339, in the arena: 2024-01-15T10:20:30.5+02:00 */
struct str date_print(struct arena *, const struct date *);
