/* A span of a trace: what a format says of it, and what is found from where it
 * lies. */
#pragma once

#include "extract/api/chat.h"
#include "extract/run/builder.h"

enum span_kind {
	SPAN_OTHER,
	SPAN_AGENT,
	SPAN_MODEL,
	SPAN_TOOL,
};

#define SPAN_NO_TIME INT64_MIN /* a time that is not logged */

/* All values are in the arena of the spans; NULL stands for "not logged". */
struct span {
	enum span_kind kind;
	struct str trace, id, parent; /* bodies */
	int64_t start, end;           /* nanoseconds since 1970 */
	const struct json *error;     /* what went wrong, any value */
	/* of an agent or a model */
	const struct json *agent, *model, *provider, *conversation; /* names */
	const struct json *input, *output; /* see dialogue.h */
	struct usage usage;
	/* of a tool; args, result: any value, or JSON as text. Of a span of
	 * no kind: if a model called a tool of that name, it is a tool's. */
	const struct json *tool, *server, *name, *call, *args, *result;
	const struct json *is_error; /* true or false */

	/* private */
	const char *file;
	size_t line, index;
	const struct span *before; /* the same as it was logged before */
	struct span *up;           /* the span that it is in */
	struct span *same; /* the outermost tool's span of the same call */
	struct span_agent *does; /* the sub-agent that a tool's span started */
	struct chat in, out;
	unsigned below; /* kinds of usage that are logged within it */
	unsigned walk;
	struct span *above; /* what find_above() found, in its last round */
	unsigned round;
	bool model_below, chat_below;
};
