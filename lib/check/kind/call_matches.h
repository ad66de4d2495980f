/* Kind call: whether some call has a tool whose name matches, with arguments
 * that match in the log's own bytes. */
#pragma once

#include "check/check.h"
#include "regex/regex.h"

struct call_want {
	struct regex *tool, *args;             /* args NULL: any will do */
	struct str tool_pattern, args_pattern; /* as written */
};

/* Takes the regexes over. Of a YES `why` is the name and the arguments. */
struct check call_check(struct arena *, const struct call_want *);
