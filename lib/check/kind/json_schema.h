/* Kind schema: whether the view's text is JSON, and as a JSON Schema wants it.
 * A text that is none: cannot tell. Of what is not so `why` is members of a
 * JSON object: error and content, or errors. */
#pragma once

#include "check/check.h"
#include "check/kind/embedded_json.h"
#include "query/jsonschema/jsonschema.h"

struct schema_want {
	struct embedded where;
	const struct json *written;  /* the schema; NULL: any JSON will do */
	struct jsonschema *compiled; /* from it */
};

/* Takes the compiled schema over. */
struct check schema_check(struct arena *, const struct schema_want *);
