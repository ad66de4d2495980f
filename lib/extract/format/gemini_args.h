/*
 * Arguments that Gemini streams in parts, each a value at a JSONPath of them.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/builder.h"

struct gemini_arg {
	struct gemini_arg *next;
	struct str path; /* "p.order.items.0" */
	struct text value;
	bool string; /* the value is the body of one */
};

/* Of the call that was told last, in order; in the run's arena. Zeroed is
 * ready. */
struct gemini_args {
	struct gemini_arg *first, *last;
	struct hash_table by_path; /* as the log has it */
};

/* Takes what a functionCall says of its arguments, after the builder was told
 * of it; with its last part it tells the builder all of them. */
void gemini_args_read(
    struct gemini_args *, struct builder *, const struct json *call);
