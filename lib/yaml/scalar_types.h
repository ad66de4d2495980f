/* The schemas of plain YAML scalars: which words are no strings. */
#ifndef DOC_SCHEMA_H
#define DOC_SCHEMA_H

#include <stdbool.h>

#include "json/json.h"

enum doc_schema {
	DOC_CORE,   /* YAML 1.2 core schema: MCPLab, mcpl */
	DOC_GO,     /* yaml.v3 (promptkit.md 3.1) */
	DOC_EVOLVE, /* evolve.md 1.1 */
	DOC_PYTHON, /* PyYAML, YAML 1.1 */
};

/* What a plain scalar is. */
struct doc_scalar {
	enum json_type type;
	struct str json;     /* absent: a string of the scalar itself */
	const char *mistake; /* NULL: none */
};

struct doc_scalar doc_schema_scalar(
    struct arena *, enum doc_schema, struct str text);

/* What is wrong with the plain scalar as a key; NULL: nothing. */
const char *doc_schema_key(struct arena *, enum doc_schema, struct str key);

bool doc_schema_merges(enum doc_schema);  /* `<<` */
bool doc_schema_decodes(enum doc_schema); /* !!binary */

#endif
