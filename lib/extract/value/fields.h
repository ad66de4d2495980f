/* Searches log values whose members have several names, or another name in each
 * version of a program. */
#pragma once

#include "trace/usage.h"
#include "json/json.h"

/* Returns the value at the first of the paths (see json_path; separated by
 * blanks) that has one; null counts as none. */
const struct json *field_find(const struct json *, const char *paths);

/* Calls json_pick for n names, of which the first `pairs` names have another
 * spelling each: the next `pairs` names. found[i] is the value under either
 * spelling; null counts as none. */
void field_pick(const struct json *, const struct str *names, size_t n,
    size_t pairs, const struct json **found);

/* Returns whether the string at the key is one of the words (separated by
 * blanks). */
bool field_is(const struct json *, const char *key, const char *words);
/* Like field_is, for the key "type". */
bool field_is_type(const struct json *, const char *words);

/* The paths of counts, as in field_find; NULL: the log has none. */
struct field_usage {
	const char *input, *output, *cache_read, *cache_write, *cache_write_1h,
	    *reasoning, *cost, *llm_calls;
	/* An input that includes tokens read from or written to a cache. */
	const char *input_and_cache;
};

/* Sets the kinds of usage that `counts` has. field_usage is the usual spelling:
 * field_usage(&u, counts, .input = "in", .output = "out"). */
void field_read_usage(
    struct usage *, const struct json *counts, const struct field_usage *);
#define field_usage(u, counts, ...) \
	field_read_usage((u), (counts), &(struct field_usage){ __VA_ARGS__ })

/* Returns the JSON that a string holds, in the arena; NULL if the string holds
 * no JSON. */
const struct json *field_decode(struct arena *, const struct json *string);
