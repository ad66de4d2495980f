/* Names of tools as logs spell them. */
#ifndef TOOLNAME_H
#define TOOLNAME_H

#include "base/str.h"

/* Whether both may name one tool: they are equal, or one is the other behind a
 * server's name and a sign (mcp__bank__transfer, bank-transfer, transfer). */
bool toolname_same(struct str, struct str);

/* The tool's name in that of its span ("execute_tool transfer"). */
struct str toolname_in_span(struct str);

#endif
