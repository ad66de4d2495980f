/* The fields of mcp-eval's assertions, which it reads as pydantic does. */
#ifndef MCP_EVAL_FIELDS_H
#define MCP_EVAL_FIELDS_H

#include "../entry.h"

/* A field that must be there. */
int64_t mcp_eval_int(struct entry *, const char *key);
double mcp_eval_float(struct entry *, const char *key);

/* One that need not be: `otherwise` is what it is then. */
int64_t mcp_eval_int_or(struct entry *, const char *key, int64_t otherwise);
bool mcp_eval_bool_or(struct entry *, const char *key, bool otherwise);

/* min_score as mcp-eval scales it: from 0 to 1. */
double mcp_eval_min_score(struct entry *);

#endif
