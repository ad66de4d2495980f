/* A span of a trace: what the format reads from the log, and what is derived
 * from the span's place in the tree. */
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

/* All values are in the arena of the span set; NULL means "not logged". */
struct span {
	enum span_kind kind;
	struct str trace, id, parent; /* bodies */
	int64_t start, end;           /* nanoseconds since 1970 */
	const struct json *error;     /* what went wrong, any value */
	/* of an agent or a model: */
	const struct json *agent, *model, *provider, *conversation; /* names */
	const struct json *input, *output; /* see api/chat.h */
	const struct json *system; /* the system prompt: see builder_system */
	const struct json *stop;   /* why a model's answer ended: a word */
	struct usage usage;
	/* for a tool: args and result are any value, or JSON as text. A span of
	 * no kind becomes a tool's if a model called a tool of that name. */
	const struct json *tool, *server, *name, *call, *args, *result;
	const struct json *is_error; /* true or false */
	struct str unknown; /* the log's word for a kind that no reader knows */
	const struct json *scenario; /* the test case that the span is of */
	bool no_time;     /* start and end are no times of a calendar */
	bool new_input;   /* the input has no message of an earlier input */
	bool no_call;     /* not counted as a call of a model */
	bool text_result; /* the result is a text even if the text is JSON */
	void *data;       /* of the format; NULL at first */

	/* private */
	const char *file;
	size_t line, index;
	struct span *up;   /* parent */
	struct span *same; /* the outermost tool span of the same call */
	struct span_agent
	    *sub_agent; /* the sub-agent that a tool's span started */
	struct chat in, out;
	unsigned below; /* kinds of usage that spans below have */
	unsigned walk;
	const struct json
	    *by;            /* name of the agent, of this span or around it */
	struct span *above; /* result of the last round of find_above() */
	unsigned round;
	bool model_below, chat_below;
};

/* Returns whether the word for a kind of span may mean a tool. */
static inline bool
span_names_tool(struct str word)
{
	return str_contains(word, STR("tool")) ||
	    str_contains(word, STR("TOOL")) || str_contains(word, STR("Tool"));
}

/* Sets *to to `from` if *to is NULL. */
static inline void
span_set_if_absent(const struct json **to, const struct json *from)
{
	if (*to == NULL)
		*to = from;
}
