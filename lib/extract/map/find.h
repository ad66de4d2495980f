/* Evaluates the paths of a map on a value of a log. */
#pragma once

#include "extract/map/rules.h"

struct map_find {
	struct arena *arena; /* holds the results */
	struct place at;     /* position for messages */
};

/* Returns the values of the first path that finds a value other than null. */
struct jsonpath_list map_find_list(
    const struct map_find *, const struct map_path *, const struct json *);
/* Like map_find_list, but without a path returns the value itself. */
struct jsonpath_list map_find_each(
    const struct map_find *, const struct map_path *, const struct json *);

/* Returns the first value of map_find_list that is not null, or NULL. */
const struct json *map_find_first(
    const struct map_find *, const struct map_path *, const struct json *);
/* Like map_find_first, but converts text that spells a number: cells of a table
 * are text. */
const struct json *map_find_number(
    const struct map_find *, const struct map_path *, const struct json *);
/* Like map_find_first, for names and ids: converts a number to a string. */
const struct json *map_find_name(
    const struct map_find *, const struct map_path *, const struct json *);

/* Returns all values of map_find_list as one text (a body) with a line for
 * each; of a list of content blocks, the texts. Absent if there is none. */
struct str map_find_text(
    const struct map_find *, const struct map_path *, const struct json *);

/* Like map_find_text, but with slashes between the values. */
struct str map_find_key(
    const struct map_find *, const struct map_path *, const struct json *);

/* Returns true, false, or NULL: not recorded. */
const struct json *map_find_flag(
    const struct map_find *, const struct map_flag *, const struct json *);
/* Returns a duration in milliseconds from a path to milliseconds or a path to
 * seconds; NULL: not recorded. */
const struct json *map_find_duration(const struct map_find *,
    const struct map_path *ms, const struct map_path *s, const struct json *);
struct usage map_find_usage(
    const struct map_find *, const struct map_usage *, const struct json *);
