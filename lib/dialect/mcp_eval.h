/* What the files of the mcp-eval dialect share. */
#ifndef MCP_EVAL_H
#define MCP_EVAL_H

#include "../reader.h"

/* What a scenario says that its assertions go by. */
struct mcp_eval_scenario {
	struct str expected; /* what its author would like to see, or absent */
};

/* Whether the object looks like an assertion: it has a kind, or keys that
 * only one kind has. */
bool mcp_eval_is_assertion(const struct json *);

/* The assertion at this value. */
void mcp_eval_assertion(
    struct reader *, const struct json *, const struct mcp_eval_scenario *);

/* Those in a list (NULL: none). */
void mcp_eval_assertions(
    struct reader *, const struct json *list, const struct mcp_eval_scenario *);

#endif
