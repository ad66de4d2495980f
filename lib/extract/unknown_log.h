/* Describes a file whose format no reader knows: what it looks like, which formats
 * come nearest to it, and what the user can do. */
#pragma once

#include "extract/format/format.h"

/* A record of a file whose format is not known yet. */
struct log_record {
	struct str text, prefix;
	struct place at;
	bool shortened, one_line;
	size_t
	    torn; /* the line of a record before this one that is lost; or 0 */
};

struct unknown_log {
	const struct log_format *const *formats; /* all, then NULL */
	/* As in struct extract_job; or NULL. */
	const char *(*dialect_of)(const struct json *document);
	const char *path;
	const struct log_record *records; /* the first ones, at least one */
	size_t n;
};

/* Returns why the file is no log of a known format. `first` is its first
 * record. */
struct str unknown_log_why(struct arena *, const struct json *first);

/* Returns what the user can do with the file. */
struct str unknown_log_remedy(
    struct arena *, const struct unknown_log *, const struct json *first);
