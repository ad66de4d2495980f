/* Names of tools as logs spell them. */
#pragma once

#include "base/str.h"

/* Whether both may name one tool: they are equal, or one is the other behind a
 * server's name and a sign (mcp__bank__transfer, bank-transfer, transfer). */
bool tool_name_same(struct str, struct str);

/* The tool's name in that of its span ("execute_tool transfer"). */
struct str tool_name_in_span(struct str);
