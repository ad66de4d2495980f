/* The resources that a run used (tokens, cost, calls), with the same names for
 * all logs: see usage in mcpl-trace(5). A zeroed struct usage records nothing;
 * unknown is different from 0. */
#pragma once

#include <stdbool.h>

#include "io/out.h"
#include "json/json.h"

enum usage_kind {
	USAGE_INPUT, /* without tokens read from or written to a cache */
	USAGE_OUTPUT,
	USAGE_CACHE_READ,
	USAGE_CACHE_WRITE,
	USAGE_REASONING, /* part of the output */
	USAGE_COST,      /* in US dollars */
	USAGE_LLM_CALLS,
	USAGE_CACHE_WRITE_1H, /* the part of the writes that stays for an hour */
	USAGE_COUNT,
};

struct usage {
	double n[USAGE_COUNT];
	unsigned known; /* a bit for each kind */
	bool estimated; /* the cost is computed from tokens, at least in part */
};

/* The name of each kind in a trace's usage: "input_tokens". */
extern const struct str usage_names[USAGE_COUNT];

void usage_set(struct usage *, enum usage_kind, double);
/* Returns whether the number can be a count or an amount: it is not negative,
 * and not so large (1e15) that its sums would be wrong. */
bool usage_is_count(double);
/* Sets a kind from a value of a log or a reply. Anything but a number for which
 * usage_is_count() is true is ignored. */
void usage_read(struct usage *, enum usage_kind, const struct json *);
/* Sets the kinds from the members of `counts`: words[kind] is the member's name
 * in that log, or NULL if the log has none. */
void usage_read_named(struct usage *, const struct json *counts,
    const char *const words[USAGE_COUNT]);

/* Sets the input from a number that includes tokens read from or written to a
 * cache. To be called after the cache's kinds were set. */
void usage_input_with_cache(struct usage *, const struct json *input);

/* Reads the tokens that were written to a cache for five minutes and for an hour. Some
 * logs count these in place of all that were written: then the sum counts. */
void usage_read_writes(
    struct usage *, const struct json *five_minutes, const struct json *hour);

/* Adds all that is known of `more`. Sums of dollars have no binary rounding
 * errors. */
void usage_add(struct usage *, const struct usage *more);
/* Keeps the larger value of each kind, for counts that a log repeats as they
 * grow. */
void usage_max(struct usage *, const struct usage *other);

/* Returns what was used since a counter had the values `before`. If a count has
 * fallen, the counter was reset, and all of `now` counts. The result knows the
 * kinds that `now` knows. */
struct usage usage_since(const struct usage *now, const struct usage *before);
/* Forgets the kinds that `other` knows. */
void usage_forget(struct usage *, const struct usage *other);
/* Returns whether any count is more than 0. */
bool usage_any(const struct usage *);
/* Returns whether a number of tokens is known. */
bool usage_has_tokens(const struct usage *);

/* Writes the usage as a JSON object; the caller has written its key. */
void usage_write(struct out *, const struct usage *);
/* Writes the members of that object. */
void usage_write_members(struct out *, const struct usage *);
/* Reads a usage object of a trace; NULL gives an empty usage. */
struct usage usage_of(const struct json *object);

/* Sets the amounts of a trace's usage object, together with what an earlier run has
 * counted (usage.repeated); NAN: not recorded. */
void usage_amounts(const struct json *usage, double amounts[USAGE_COUNT]);
