/* The schemas of plain YAML scalars: which of them are not strings. */
#pragma once

#include <stdbool.h>

#include "json/json.h"

enum scalar_types {
	TYPES_CORE,   /* YAML 1.2 core schema: MCPLab, mcpl */
	TYPES_GO,     /* as Go's yaml.v3 reads: PromptKit */
	TYPES_EVOLVE, /* as evolve's own reader reads */
	TYPES_PYTHON, /* PyYAML, YAML 1.1 */
	TYPES_JS,     /* js-yaml as promptfoo loads: core, and merge keys */
};

/* The type of a plain scalar. */
struct typed_scalar {
	enum json_type type;
	struct str json;     /* absent: a string, the scalar itself */
	const char *mistake; /* NULL: none */
};

struct typed_scalar scalar_types_read(
    struct arena *, enum scalar_types, struct str text);

/* Returns the mistake in using the plain scalar as a key, or NULL. */
const char *scalar_types_key(struct arena *, enum scalar_types, struct str key);

bool scalar_types_merges(enum scalar_types);  /* `<<` keys */
bool scalar_types_decodes(enum scalar_types); /* !!binary values */

/* Returns whether the text is one of the words, which are separated by
 * blanks. */
bool scalar_types_word(struct str text, const char *words);
