/* Tool names as logs spell them. */
#pragma once

#include "base/str.h"

/* Returns whether both may name the same tool: they are equal, or one is the
 * other after a server's name and a separator (mcp__bank__transfer,
 * bank-transfer, transfer). */
bool tool_name_same(struct str, struct str);

/* Returns the tool's name in the name of its span ("execute_tool transfer"). */
struct str tool_name_in_span(struct str);
