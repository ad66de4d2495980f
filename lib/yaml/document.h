/*
 * Assertion files: bytes to values with places, whatever the syntax. What
 * begins like JSON (or is named so) is read as JSON, which may hold comments
 * (slash-slash, slash-star, #) and trailing commas (deviation G5) and several
 * values one after another; all else, and what fails as JSON, is YAML. All
 * values are struct json, whose text is JSON source text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "yaml/scalar_types.h"
#include "json/json.h"

struct document {
	const char *file;
	bool yaml;
	const struct json **roots;    /* one per YAML document or JSON value */
	size_t n;                     /* 0: nothing but blanks and comments */
	struct document_marks *marks; /* private: where values stand */
};

/*
 * Reads the whole file ("-" is standard input). NULL after a message if it
 * cannot be read or is neither JSON nor YAML. Duplicate keys of YAML are told
 * as errors, those of JSON as warnings; json_get finds the last.
 */
struct document *document_read(struct arena *, const char *path);

/* The same of text in memory that has this name. Both outlive the doc. */
struct document *document_read_text(
    struct arena *, const char *name, struct str text);

/*
 * Gives plain YAML scalars their type, by which all but TYPES_CORE also merge
 * `<<`. Until then they are strings with the flag JSON_PLAIN, and pointers
 * into doc are good no longer than until then. Once per doc; no effect on
 * JSON. Infinity becomes 1e999, which json_double reads as such; .nan is told
 * as a mistake, and so is for TYPES_EVOLVE infinity or a key that is no text.
 */
void document_resolve(struct document *, enum scalar_types);

/* Where the value (or key) stands, and its source as its author wrote it. A
 * value that an alias repeats stands where it was written. Of values that are
 * not the doc's: the file as a whole, and absent. */
struct place document_place(const struct document *, const struct json *);
struct str document_source(const struct document *, const struct json *);

/* Whether the value is a scalar of YAML with neither quotes nor a tag. */
bool document_is_plain(const struct document *, const struct json *);

/* Returns whether the value is a plain scalar that yaml.v3 reads as a time:
 * 2024-01-15, or with a time of day, or with a zone. */
bool document_is_time(const struct document *, const struct json *);
