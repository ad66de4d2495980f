/* A range of time, and whether a run overlaps it. */
#pragma once

#include "extract/run/run.h"

/* Times in milliseconds since 1970. */
struct time_range {
	int64_t since, until; /* the first moment inside; the first moment after
			       * */
};

/* All of time. */
#define TIME_RANGE_ALWAYS \
	{ \
		INT64_MIN, INT64_MAX \
	}

/* Parses a moment as a user writes it: RFC 3339, a date (midnight in UTC), or a
 * time span before now: 30m, 12h, 7d, 2w. Returns false if the text is none of
 * these. */
bool time_range_moment(struct str, int64_t *ms);

/* Returns whether the run overlaps the range. A run without time stamps is in
 * every range. */
bool time_range_has(const struct time_range *, const struct run *);
