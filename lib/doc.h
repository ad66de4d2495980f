/*
 * Assertion files: bytes to values with places, whatever the syntax. JSON may
 * hold comments (slash-slash, slash-star, #) and trailing commas (deviation
 * G5); everything else is YAML. All values are struct json, whose text is JSON source text.
 */
#ifndef DOC_H
#define DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "json.h"

/* Which words of plain YAML scalars are no strings. */
enum doc_schema {
	DOC_CORE,   /* YAML 1.2 core schema: MCPLab, mcpl */
	DOC_GO,     /* yaml.v3 (promptkit.md 3.1) */
	DOC_EVOLVE, /* evolve.md 1.1 */
	DOC_PYTHON, /* PyYAML, YAML 1.1 */
};

struct doc {
	const char *file;
	bool yaml;
	const struct json **roots; /* one per YAML document or JSON value */
	size_t n;
	struct doc_marks *marks; /* private: where values stand */
};

/* Reads the whole file ("-" is standard input). NULL after a message if it
 * cannot be read or is neither JSON nor YAML. */
struct doc *doc_read(struct arena *, const char *path);

/* The same of text in memory that has this name. */
struct doc *doc_read_text(struct arena *, const char *name, struct str text);

/* Gives plain YAML scalars their type. Until then they are strings with the
 * flag JSON_PLAIN. Once per doc; no effect on JSON. */
void doc_resolve(struct doc *, enum doc_schema);

/* Where the value stands, and its scalar's source as its author wrote it. */
struct place doc_place(const struct doc *, const struct json *);
struct str doc_source(const struct doc *, const struct json *);

#endif
