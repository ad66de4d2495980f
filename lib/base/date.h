/* Dates and times as Go's yaml.v3 reads them from plain scalars, and as Go
 * writes them in JSON. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

struct date {
	int year, month, day, hour, minute, second;
	struct str fraction; /* digits after the point, without zeros at
	                      * their end; absent if there are none */
	int offset;          /* minutes ahead of UTC */
};

/* Reads a date (2024-1-15), a date and a time separated by blanks, or a date, a
 * T or t, a time and a zone. Returns false for any other text. The fraction is
 * a slice of the text. */
bool date_read(struct date *, struct str text);

/* Returns the number of days of the month (1 to 12) in the Gregorian
 * calendar. */
int date_days_in(int year, int month);

/* Returns the time as RFC 3339 text in the arena:
 * 2024-01-15T10:20:30.5+02:00 */
struct str date_print(struct arena *, const struct date *);
