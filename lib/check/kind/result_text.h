/* What mcp-eval takes for the text of a tool's result. */
#pragma once

#include "json/json.h"

/*
 * Of an object its text, else that of its content, else of its output, else
 * of all its members; of a list that of its items, each on a line. Absent if
 * there is none: numbers, true, false and null are no text.
 */
struct str result_text(const struct json *, struct arena *);
