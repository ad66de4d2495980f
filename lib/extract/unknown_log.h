/* Describes a file whose format no reader knows: what it looks like, which formats
 * come nearest to it, and what the user can do. */
#pragma once

#include "extract/trial.h"

struct unknown_log {
	const struct log_format *const *formats; /* all, then NULL */
	/* As in struct extract_job; or NULL. */
	const char *(*dialect_of)(const struct json *document);
	struct log_records records; /* at least one */
};

/* Returns why the file is no log of a known format. `first` is its first
 * record. */
struct str unknown_log_why(struct arena *, const struct json *first);

/* Returns what the user can do with the file. */
struct str unknown_log_remedy(
    struct arena *, const struct unknown_log *, const struct json *first);
