/*
 * Conditions of the rows of a log format (log_rows.h), prepared for use. They live
 * as long as the texts that they are made from, and the arena.
 */
#pragma once

#include "extract/format/log_paths.h"

struct log_term {
	struct log_path path;
	struct str words; /* separated by |; absent: any value fits */
	bool negate;      /* the opposite counts */
	bool next;        /* begins another alternative */
	bool other;       /* holds if no row before is for the record */
};

struct log_condition {
	const struct log_term *terms;
	size_t n;
};

/* Returns the conditions that the text states. */
struct log_condition log_condition_of(struct arena *, const char *when);

/* Returns whether the conditions hold, of which the first `tested` do. `other`: no
 * row before is for the record. */
bool log_condition_holds(const struct log_condition *, size_t tested,
    const struct json *, bool other);

/* Returns whether the conditions that the text states hold for the value. */
bool log_rows_holds(const char *when, const struct json *);
