/* A stretch of time, and the runs that lie in it at least in part. */
#pragma once

#include "extract/run/run.h"

/* In milliseconds since 1970. */
struct time_range {
	int64_t since, until; /* the first moment, and the first one after */
};

/* From the beginning to the end of time. */
#define TIME_RANGE_ALWAYS \
	{ \
		INT64_MIN, INT64_MAX \
	}

/* A moment as a user writes it: RFC 3339, a date (its midnight in UTC), or how
 * long ago it was: 30m, 12h, 7d, 2w. False if it is none of them. */
bool time_range_moment(struct str, int64_t *ms);

/* A run that does not tell its times is in every period. */
bool time_range_has(const struct time_range *, const struct run *);
