/*
 * JMESPath (jmespath.org, as in go-jmespath 0.4.0), the path language of
 * PromptKit's json_path assertion. It is not JSONPath.
 */
#pragma once

#include <stddef.h>

#include "json/json.h"

struct jmespath_error {
	size_t offset;  /* in bytes from the start of the expression */
	struct str why; /* lives in the arena */
};

struct jmespath;

/* Compiles an expression. Returns NULL if it is not well-formed, and *error has
 * the reason. */
struct jmespath *jmespath_compile(
    struct arena *, struct str text, struct jmespath_error *error);

/*
 * Returns the expression's value on the document: a value of the document
 * itself or one created in the arena; JSON null where nothing is selected.
 * Returns NULL if a function was called wrongly (unknown, number or type of
 * arguments), a slice's step is 0 or the work limit is reached; then *error has
 * the reason.
 */
const struct json *jmespath_search(const struct jmespath *,
    const struct json *root, struct arena *, struct jmespath_error *error);
