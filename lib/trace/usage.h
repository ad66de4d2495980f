/* What a run used, in one vocabulary for all logs: see usage in
 * mcpl-trace(5). A zeroed struct usage records nothing; unknown is not 0. */
#pragma once

#include <stdbool.h>

#include "io/out.h"
#include "json/json.h"

enum usage_kind {
	USAGE_INPUT, /* without what a cache gave or took */
	USAGE_OUTPUT,
	USAGE_CACHE_READ,
	USAGE_CACHE_WRITE,
	USAGE_REASONING, /* part of the output */
	USAGE_COST,      /* in US dollars */
	USAGE_LLM_CALLS,
	USAGE_COUNT,
};

struct usage {
	double n[USAGE_COUNT];
	unsigned known; /* a bit for each kind */
};

/* Its member of a trace's usage: "input_tokens". */
extern const struct str usage_names[USAGE_COUNT];

void usage_set(struct usage *, enum usage_kind, double);
/* The same of a value of a log; anything but a number is passed over, and so is
 * one that no double holds (1e999). */
void usage_read(struct usage *, enum usage_kind, const struct json *);
/* The same of the members of `counts` that a log has for the kinds; a kind whose
 * word is NULL it has none for. */
void usage_read_named(struct usage *, const struct json *counts,
    const char *const words[USAGE_COUNT]);

/* Input that is logged with what came from a cache, once the latter is set. */
void usage_input_with_cache(struct usage *, const struct json *input);

/* Adds all that is known of `more`; of dollars no binary fraction's noise comes
 * of it. */
void usage_add(struct usage *, const struct usage *more);
/* Keeps the larger of what is known: for counts told again as they grow. */
void usage_max(struct usage *, const struct usage *other);

/* What was used since a counter stood at `before`: a count that fell began
 * anew. Only what is known of `now` is. */
struct usage usage_since(const struct usage *now, const struct usage *before);
/* Takes back what is known of the kinds that `other` knows. */
void usage_forget(struct usage *, const struct usage *other);
/* Whether anything is more than none. */
bool usage_any(const struct usage *);

/* Writes it as a JSON object; the caller has written its key. */
void usage_write(struct out *, const struct usage *);
/* Reads such an object; NULL holds nothing. */
struct usage usage_of(const struct json *object);
