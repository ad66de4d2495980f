/*
 * What a judge is shown of a run: a JSON object with the text that is judged
 * and as much around it as the check's author asked for. The values are the
 * record's own source text, undecoded; characters that do not show on a page
 * (controls, bidirectional marks, tags) become escapes.
 */
#pragma once

#include "redact/redact.h"
#include "trace/trace.h"

enum context_text {
	CONTEXT_FINAL,      /* the run's final answer */
	CONTEXT_TURN,       /* the answer of one turn */
	CONTEXT_TRANSCRIPT, /* all that was said and called */
};

enum { /* bits */
	CONTEXT_PROMPT = 1,
	CONTEXT_TOOL_SEQUENCE = 2,
	CONTEXT_TOOL_INPUTS = 4,
	CONTEXT_WHOLE = 8, /* context "transcript" */
	CONTEXT_EXPECTED = 16,
	CONTEXT_WORKSPACE = 32,
};

/* What one check wants to be shown. */
struct context {
	enum context_text text;
	unsigned context;
	int64_t turn;        /* only for CONTEXT_TURN, else 0 */
	struct str prompt;   /* JSON; absent: the recorded one, if asked for */
	struct str expected; /* JSON; absent unless asked for and given */
	struct str folder;   /* the same; the run's, of context "workspace" */
};

/*
 * Reads it from a pending result of mcpl-check: its turn, and its judge's
 * text, context, prompt, expected and workspace. False, and *why, if it asks
 * for what is not to be had here.
 */
bool context_read(struct context *, struct arena *, const struct json *result,
    struct str *why);

/* A key for hash tables: that of another is the same if, and only if, it wants
 * the same. */
struct str context_key(const struct context *, struct arena *);

/* The object, as JSON text in the arena, with what is to be redacted (NULL:
 * nothing) gone; absent, and *why, if the run does not record the text, or its
 * folder cannot be read. */
struct str context_write(const struct context *, struct arena *,
    const struct trace *, struct redaction *, struct str *why);
