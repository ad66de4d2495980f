/* Values of a log as source text in one line that lives as long as the arena.
 * Text is copied, unless it is part of a text that the arena borrowed
 * (arena_lend). NULL and a value of another type give the absent text. */
#pragma once

#include <stdint.h>

#include "base/timestamp.h"
#include "json/json.h"

/* Returns the text. */
struct str copy_text(struct arena *, struct str);

/* Returns any value but null. */
struct str copy_value(struct arena *, const struct json *);
/* Returns any value, null included. */
struct str copy_any(struct arena *, const struct json *);
struct str copy_number(struct arena *, const struct json *);

/* Returns a string's source without its quotes; an empty string is absent
 * too. */
struct str copy_body(struct arena *, const struct json *);

/* Returns a copy of the whole tree of a value, which outlives the record; NULL
 * for NULL. */
const struct json *copy_tree(struct arena *, const struct json *);
/* Returns the source of a string: the body in quotes. */
struct str copy_quoted(struct arena *, struct str body);
/* Returns the body of a string that holds this text. */
struct str copy_escaped(struct arena *, struct str text);

/* Return a string with this body, and a number with this source, as a log would
 * have them. */
const struct json *copy_string(struct arena *, struct str body);
const struct json *copy_count(struct arena *, struct str source);
/* Returns the value that the text holds, or NULL if the text is not JSON. The
 * text must live as long as the value. */
const struct json *copy_parsed(struct arena *, struct str text);

/* A point in time: RFC 3339 in UTC, and milliseconds since 1970. */
struct moment {
	struct str text; /* absent: unknown */
	int64_t ms;
};

/* Reads a string (RFC 3339) or a number (since 1970, see timestamp_number),
 * which may be a string too. last: see timestamp_text_near. */
struct moment copy_time(
    struct arena *, struct timestamp_minute *last, const struct json *);
