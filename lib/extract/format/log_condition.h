/*
 * Paths and conditions of the rows of a log format (log_rows.h), prepared for use.
 * They live as long as the texts that they are made from, and the arena.
 */
#pragma once

#include "json/json.h"

enum { LOG_PATH_NAMES = 6, LOG_PATHS = 6 };

struct log_path {
	struct str names[LOG_PATH_NAMES];
	size_t n;
};

/* Paths that are tried one after another. */
struct log_paths {
	struct log_path list[LOG_PATHS];
	size_t n;
	bool self; /* the record itself */
};

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

/* Returns the paths, NULL for NULL. */
const struct log_paths *log_paths_of(struct arena *, const char *text);

/* Returns the value at the first path that has one, or NULL; null counts as none. */
const struct json *log_paths_find(
    const struct log_paths *, const struct json *);

/* Returns the conditions that the text states. */
struct log_condition log_condition_of(struct arena *, const char *when);

/* Returns whether the conditions hold, of which the first `tested` do. `other`: no
 * row before is for the record. */
bool log_condition_holds(const struct log_condition *, size_t tested,
    const struct json *, bool other);

/* Returns whether the conditions that the text states hold for the value. */
bool log_rows_holds(const char *when, const struct json *);
