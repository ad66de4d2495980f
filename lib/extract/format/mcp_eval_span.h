/* What mcp-eval's own reader takes for a span. */
#pragma once

#include "json/json.h"

/* Why mcp-eval ends the test of a file with this record as an error; NULL if
 * it reads it. */
const char *mcp_eval_refuses(struct arena *, const struct json *record);

/* The number of the iteration that an event belongs to, from 0, or NULL. */
const struct json *mcp_eval_turn(const struct json *event);
