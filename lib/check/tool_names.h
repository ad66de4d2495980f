/* Compares the tools that a check names with the tools that a run called. */
#pragma once

#include "trace/trace.h"

/* Returns why a check of the named tools cannot be decided: one is SERVER:TOOL,
 * and the log does not record the server of a call of TOOL. Absent if there is
 * no such name. */
struct str tool_names_unknown(
    struct str_list named, struct trace_calls, struct arena *);

/* Returns a hint for each named tool that was not called, if a called tool's name is
 * like its name but for letter case or a prefix such as a server's; absent if there
 * is none. Only the first 32 names are compared. With `as_logged`, a tool is called
 * by its logged name alone. */
struct str tool_names_similar(
    struct str_list named, struct trace_calls, bool as_logged, struct arena *);
