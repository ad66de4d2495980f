/* The fields of mcp-eval's assertions. Those of a scenario it reads as pydantic
 * does, so that text may name a number or a truth value; those of a dataset, as
 * they are. Each entry's context is a struct mcp_eval_scenario. */
#pragma once

#include "yaml/fields.h"

/* What a scenario, or a case of a dataset, says that its assertions go by. */
struct mcp_eval_scenario {
	const struct json *inputs;   /* what the user says; NULL: not told */
	const struct json *expected; /* what its author would like to see; NULL:
				      * not told */
	bool strict;                 /* text is no number and no truth value */
};

/* A field that must be there. */
int64_t mcp_eval_int(struct fields *, const char *key);
double mcp_eval_float(struct fields *, const char *key);
/* One that is there, of this key or in what it has. */
int64_t mcp_eval_int_of(struct fields *, const struct json *, const char *key);

/* One that need not be: `otherwise` is what it is then. */
int64_t mcp_eval_int_or(struct fields *, const char *key, int64_t otherwise);
double mcp_eval_float_or(struct fields *, const char *key, double otherwise);
bool mcp_eval_bool_or(struct fields *, const char *key, bool otherwise);

/* min_score as mcp-eval scales it: from 0 to 1. */
double mcp_eval_min_score(struct fields *, double otherwise);

/* A list that must be there, and not null; NULL if it is not. */
const struct json *mcp_eval_list(struct fields *, const char *key);
