/*
 * A log's values, as source text that lives as long as what is in an arena:
 * copies, but for what lies in a text that the arena was lent. That is one
 * line. NULL, and a value of another type, give the absent text.
 */
#pragma once

#include <stdint.h>

#include "base/timestamp.h"
#include "json/json.h"

/* Text as it is. */
struct str copy_text(struct arena *, struct str);

/* Any value but null, in one line. */
struct str copy_value(struct arena *, const struct json *);
/* Null as well. */
struct str copy_any(struct arena *, const struct json *);
struct str copy_number(struct arena *, const struct json *);

/* A string's source without its quotes; an empty one is absent too. */
struct str copy_body(struct arena *, const struct json *);

/* The whole value: a tree that outlives the record it stands in. NULL of NULL.
 */
const struct json *copy_tree(struct arena *, const struct json *);
/* A body in quotes: the source of a string. */
struct str copy_quoted(struct arena *, struct str body);
/* The body of a string that says this text. */
struct str copy_escaped(struct arena *, struct str text);

/* A string of that body, and a number of that source, as a log would have them.
 */
const struct json *copy_string(struct arena *, struct str body);
const struct json *copy_count(struct arena *, struct str source);
/* The value that the text, which must live on, holds; NULL if it is not JSON.
 */
const struct json *copy_parsed(struct arena *, struct str text);

/* A point in time: RFC 3339, UTC, and the same in milliseconds since 1970. */
struct moment {
	struct str text; /* absent: unknown */
	int64_t ms;
};

/* Of a string (RFC 3339) or a number (since 1970, see timestamp_number), which may be
 * a string too. last: see timestamp_text_near. */
struct moment copy_time(
    struct arena *, struct timestamp_minute *last, const struct json *);
