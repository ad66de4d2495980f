/* Names of members and of types of values that speak of calls, however they are
 * spelled: toolUse, tool_use and TOOL-USE are one word. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Returns whether the word is one for a call or for the result of a call. */
bool word_names_call(struct str);

/* Returns whether the word, which says what a value is, may be one for a call or for
 * the result of a call: it holds tool or function, or ends in call. */
bool word_hints_at_call(struct str);

/* Returns whether the name is one of a member that describes tools that could be
 * called. */
bool word_describes_tools(struct str);
