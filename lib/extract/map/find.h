/* What the paths of a map find in a value of a log. */
#pragma once

#include "extract/map/rules.h"

struct map_find {
	struct arena *arena; /* for what is found */
	struct place at;     /* for messages: of what is looked at */
};

/* What the first of the paths that finds something but null finds. */
struct jsonpath_list map_find_list(
    const struct map_find *, const struct map_path *, const struct json *);
/* The same; without a path the value itself. */
struct jsonpath_list map_find_each(
    const struct map_find *, const struct map_path *, const struct json *);

/* The first of them that is not null; NULL if there is none. */
const struct json *map_find_first(
    const struct map_find *, const struct map_path *, const struct json *);
/* The same, where text that spells a number is one: cells of a table are text.
 */
const struct json *map_find_number(
    const struct map_find *, const struct map_path *, const struct json *);
/* The same, where a number is text: names and ids. Other values are none. */
const struct json *map_find_name(
    const struct map_find *, const struct map_path *, const struct json *);

/* All of them as one text (a body), a line for each; of blocks of content that
 * which is text. Absent if there is none. */
struct str map_find_text(
    const struct map_find *, const struct map_path *, const struct json *);

/* The same with slashes between them. */
struct str map_find_key(
    const struct map_find *, const struct map_path *, const struct json *);

/* true, false, or NULL: not recorded. */
const struct json *map_find_flag(
    const struct map_find *, const struct map_flag *, const struct json *);
/* In milliseconds, from a path of these or of seconds; NULL: not recorded. */
const struct json *map_find_duration(const struct map_find *,
    const struct map_path *ms, const struct map_path *s, const struct json *);
struct usage map_find_usage(
    const struct map_find *, const struct map_usage *, const struct json *);
