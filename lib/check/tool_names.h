/* Compares the tools that a check names with the tools that a run called. */
#pragma once

#include "trace/trace.h"

/* Returns why a check of the named tools cannot be decided: one is SERVER:TOOL,
 * and the log does not record the server of a call of TOOL. Absent if there is
 * no such name. */
struct str tool_names_unknown(
    struct str_list named, struct trace_calls, struct arena *);

/* Returns what the named tools that were not called have in common with called
 * tools: only letter case or a server's prefix differs. Absent if nothing. Only
 * the first names are compared. With `as_logged`, a tool is called by its logged
 * name alone. */
struct str tool_names_similar(
    struct str_list named, struct trace_calls, bool as_logged, struct arena *);
