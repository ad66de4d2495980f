/*
 * Assertion files: bytes to values with places, whatever the syntax. What
 * begins like JSON (or is named so) is read as JSON, which may hold comments
 * (slash-slash, slash-star, #) and trailing commas (deviation G5) and several
 * values one after another; all else, and what fails as JSON, is YAML. All
 * values are struct json, whose text is JSON source text.
 */
#ifndef DOC_H
#define DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "yaml/scalar_types.h"
#include "json/json.h"

struct doc {
	const char *file;
	bool yaml;
	const struct json **roots; /* one per YAML document or JSON value */
	size_t n;                  /* 0: nothing but blanks and comments */
	struct doc_marks *marks;   /* private: where values stand */
};

/*
 * Reads the whole file ("-" is standard input). NULL after a message if it
 * cannot be read or is neither JSON nor YAML. Duplicate keys of YAML are told
 * as errors, those of JSON as warnings; json_get finds the last.
 */
struct doc *doc_read(struct arena *, const char *path);

/* The same of text in memory that has this name. Both outlive the doc. */
struct doc *doc_read_text(struct arena *, const char *name, struct str text);

/*
 * Gives plain YAML scalars their type, by which all but DOC_CORE also merge
 * `<<`. Until then they are strings with the flag JSON_PLAIN, and pointers
 * into doc are good no longer than until then. Once per doc; no effect on
 * JSON. Infinity becomes 1e999, which json_double reads as such; .nan is told
 * as a mistake, and so is for DOC_EVOLVE infinity or a key that is no text.
 */
void doc_resolve(struct doc *, enum doc_schema);

/* Where the value (or key) stands, and its source as its author wrote it. A
 * value that an alias repeats stands where it was written. Of values that are
 * not the doc's: the file as a whole, and absent. */
struct place doc_place(const struct doc *, const struct json *);
struct str doc_source(const struct doc *, const struct json *);

/* Whether the value is a scalar of YAML with neither quotes nor a tag. */
bool doc_is_plain(const struct doc *, const struct json *);

/* Returns whether the value is a plain scalar that yaml.v3 reads as a time:
 * 2024-01-15, or with a time of day, or with a zone. */
bool doc_is_time(const struct doc *, const struct json *);

#endif
