/*
 * JMESPath (jmespath.org, as go-jmespath 0.4.0 has it): the path language of
 * PromptKit's json_path assertion. It is another language than JSONPath.
 */
#pragma once

#include <stddef.h>

#include "json/json.h"

struct jmespath_error {
	size_t offset;  /* in bytes from the start of the expression */
	struct str why; /* lives in the arena */
};

struct jmespath;

/* NULL if the expression is not well-formed, and *error says why. */
struct jmespath *jmespath_compile(
    struct arena *, struct str text, struct jmespath_error *error);

/*
 * The expression's value on the document: a value of the document itself or
 * one made in the arena; JSON null where nothing is selected. NULL if a
 * function was called wrongly (unknown, number or type of arguments), a
 * slice's step is 0 or the work exceeds all reason; *error then says why.
 */
const struct json *jmespath_search(const struct jmespath *,
    const struct json *root, struct arena *, struct jmespath_error *error);
