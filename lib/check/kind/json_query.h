/*
 * Kind jsonpath in its other flavour, JMESPath: whether what the expression
 * gives of the view's JSON is as its author wants it. A text that is no JSON:
 * cannot tell. Of what is not so `why` is members of a JSON object: error and
 * content, or message and what there was.
 */
#pragma once

#include "check/check.h"
#include "check/kind/embedded_json.h"
#include "query/jmespath/jmespath.h"

/* A bound that is not asked for is NULL, or 0. */
struct query_want {
	struct embedded where;
	struct str written;
	struct jmespath *path;
	const struct json *equals;
	const struct json *contains;     /* a list: the result has all of it */
	const struct json *least, *most; /* numbers, for the result */
	int64_t least_items, most_items; /* of the result, which is a list */
};

struct check query_check(struct arena *, const struct query_want *);
