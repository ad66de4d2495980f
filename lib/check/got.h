/* Says what a run did in place of what a check wants, for readers of a report. */
#pragma once

#include "check/view.h"

/* Returns a call of the view with its arguments, which are cut to 120 bytes, and
 * its place: refund {"id":"A-1"} (call 3, turn 1, step 4). The numbers count
 * from 1; a step within the steps of a call is 4.1; of a turn's view there is no
 * number of the call. */
struct str got_call(struct view *, size_t call);

/* Returns the place of a call as {"turn":0,"step":3}, whose numbers count from 0; of a
 * call of a sub-agent, the step is the one that started the sub-agent. Absent if the
 * record has no steps. */
struct str got_place(struct view *, size_t call);

/* Returns what the user or an agent said, cut to 120 bytes, and where; `step` is NULL if
 * the text is no step's. */
struct str got_text(struct view *, const char *who, struct str text,
    const struct json *step, size_t turn);

/* Returns `TOOL ARGUMENTS`, cut; NULL: no arguments. */
struct str got_shown(
    const struct view *, struct str tool, const struct json *args);

/* Returns the tools that were called, the most frequent first, each with the
 * number of its calls: Read x 6, Bash x 2. */
struct str got_tools(struct trace_calls, struct arena *);

/* Returns the tools that were called, in order: Read x 2, Bash, Read. */
struct str got_sequence(struct trace_calls, struct arena *);
