/*
 * Reads assertion files, in any syntax, into values that know their place. A
 * text that begins like JSON (or has a JSON file name) is read as JSON, which
 * may have comments (slash-slash, slash-star, #), trailing commas and several
 * values one after another. Any other text, and text that fails as JSON, is
 * read as YAML. All values are struct json, and their text is JSON source text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "yaml/policy.h"
#include "yaml/scalar_types.h"
#include "json/json.h"

struct document {
	const char *file;
	bool yaml;
	const struct json **roots; /* one per YAML document or JSON value */
	size_t n;                  /* 0: only blanks and comments */
	struct policy *policy;     /* NULL: each mistake is an error */
	const struct fields_watcher *watcher; /* NULL: none */
	struct document_marks *marks; /* private: the places of values */
};

/*
 * Reads the whole file ("-" is standard input). Returns NULL, after a message,
 * if the file cannot be read or is neither JSON nor YAML. Duplicate keys are
 * reported as mistakes in YAML and as remarks in JSON; json_get finds the last.
 * The policy (NULL: none) decides how mistakes are reported, now and later.
 */
struct document *document_read(
    struct arena *, const char *path, struct policy *);

/* Like document_read, for a file that another file names: a file that is no
 * regular file, such as a pipe or a device, cannot be read. */
struct document *document_read_regular(
    struct arena *, const char *path, struct policy *);

/* Like document_read, but takes text in memory, with a name for messages. Both
 * must outlive the document. */
struct document *document_read_text(
    struct arena *, const char *name, struct str text, struct policy *);

/* Returns a document without values, of a text that is neither YAML nor JSON. The
 * name and the text must outlive the document. */
struct document *document_of_text(
    struct arena *, const char *name, struct str text, struct policy *);

/* Returns the first value; NULL if there is none, or no document. */
static inline const struct json *
document_root(const struct document *d)
{
	return d == NULL || d->n == 0 ? NULL : d->roots[0];
}

/* Returns the text that was read, of which document_source gives slices. */
struct str document_text(const struct document *);

/*
 * Gives plain YAML scalars their type and, except for TYPES_CORE, merges `<<`
 * keys. Before the call such scalars are strings with the flag JSON_PLAIN, and
 * the call invalidates pointers to values of the document. To be called once
 * per document; does nothing for JSON. Infinity becomes 1e999, which
 * json_double reads as infinity. Reported as mistakes are .nan and, for
 * TYPES_EVOLVE, infinity and keys that are not text.
 */
void document_resolve(struct document *, enum scalar_types);

/* document_place returns the place of the value (or key), document_source its
 * source as the author wrote it. For a value that an alias repeats, both refer
 * to the original. For a value that is not the document's, the place is the
 * whole file, and the source is absent. */
struct place document_place(const struct document *, const struct json *);
struct str document_source(const struct document *, const struct json *);

/* Reports a mistake or a remark at the place of the value, as the document's policy
 * says (see policy_report). */
void document_report(const struct document *, enum mistake, const struct json *,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Returns whether the value is a YAML scalar with neither quotes nor a tag. */
bool document_is_plain(const struct document *, const struct json *);

/* Returns whether the value is a plain scalar that yaml.v3 reads as a time:
 * 2024-01-15, or with a time of day, or with a zone. */
bool document_is_time(const struct document *, const struct json *);
