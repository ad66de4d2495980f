/* Facts that the runs of a scenario have in common. */
#pragma once

#include "trace/trace.h"
#include "json/json.h"

/* Words that texts have in common. */
struct advice_words {
	struct str *list;
	size_t n;
	bool begun; /* a text was added */
};

/* Returns the word by which such a text is known best: the longest; absent if there is
 * none. */
struct str advice_marker(const struct advice_words *);

/* A tool that all runs call. */
struct advice_tool {
	struct str name;
	const struct json *args; /* of its first call in the first run; NULL:
				  * not recorded */
	bool *same; /* by member of args: equal in all calls of all runs */
	struct advice_words output; /* of all its outputs */
};

struct advice_shown {
	size_t runs;
	struct advice_tool *tools; /* in the order of the first run */
	size_t ntools;
	struct str_list order; /* a common order of their first calls */
	/* The largest of all runs; below 0: not recorded in all. */
	double llm_calls, calls, seconds;
	double call_ms;             /* of all calls of a run */
	struct advice_words answer; /* of all answers */
	bool errors; /* the agent says "error", or no answer is recorded */
};

/* Adds a run to what is shown; the arena holds what is kept. */
void advice_shown_add(
    struct advice_shown *, const struct trace *, struct arena *);

/* The members of the tool's arguments that are equal in all runs, and fit into
 * an assertion: scalars of at most this many bytes. */
enum { ADVICE_ARGUMENT_MAX = 200 };
bool advice_is_shared(const struct advice_tool *, size_t member);

/* Returns whether all runs call the tool. */
bool advice_shows(const struct advice_shown *, struct str tool);

/* Returns whether there is such a member. */
bool advice_has_shared(const struct advice_tool *);
