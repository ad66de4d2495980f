/* The schemas of plain YAML scalars: which words are no strings. */
#pragma once

#include <stdbool.h>

#include "json/json.h"

enum scalar_types {
	TYPES_CORE,   /* YAML 1.2 core schema: MCPLab, mcpl */
	TYPES_GO,     /* yaml.v3 (promptkit.md 3.1) */
	TYPES_EVOLVE, /* evolve.md 1.1 */
	TYPES_PYTHON, /* PyYAML, YAML 1.1 */
};

/* What a plain scalar is. */
struct typed_scalar {
	enum json_type type;
	struct str json;     /* absent: a string of the scalar itself */
	const char *mistake; /* NULL: none */
};

struct typed_scalar scalar_types_read(
    struct arena *, enum scalar_types, struct str text);

/* What is wrong with the plain scalar as a key; NULL: nothing. */
const char *scalar_types_key(struct arena *, enum scalar_types, struct str key);

bool scalar_types_merges(enum scalar_types);  /* `<<` */
bool scalar_types_decodes(enum scalar_types); /* !!binary */
