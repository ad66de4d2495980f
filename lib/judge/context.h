/*
 * What a judge is shown of a run: a JSON object with the text that is judged
 * and as much around it as the check's author asked for. The values are the
 * record's own source text, undecoded; characters that do not show on a page
 * (controls, bidirectional marks, tags) become escapes.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "redact/redact.h"
#include "trace/trace.h"

enum evidence_text {
	EVIDENCE_FINAL,      /* the run's final answer */
	EVIDENCE_TURN,       /* the answer of one turn */
	EVIDENCE_TRANSCRIPT, /* all that was said and called */
};

enum { /* bits */
	EVIDENCE_PROMPT = 1,
	EVIDENCE_TOOL_SEQUENCE = 2,
	EVIDENCE_TOOL_INPUTS = 4,
	EVIDENCE_WHOLE = 8, /* context "transcript" */
	EVIDENCE_EXPECTED = 16,
	EVIDENCE_WORKSPACE = 32,
};

/* What one check wants to be shown. */
struct evidence {
	enum evidence_text text;
	unsigned context;
	int64_t turn;        /* only for EVIDENCE_TURN, else 0 */
	struct str prompt;   /* JSON; absent: the recorded one, if asked for */
	struct str expected; /* JSON; absent unless asked for and given */
	struct str folder;   /* the same; the run's, of context "workspace" */
};

/*
 * Reads it from a pending result of mcpl-check: its turn, and its judge's
 * text, context, prompt, expected and workspace. False, and *why, if it asks
 * for what is not to be had here.
 */
bool evidence_read(struct evidence *, struct arena *, const struct json *result,
    struct str *why);

/* A key for hash tables: that of another is the same if, and only if, it wants
 * the same. */
struct str evidence_key(const struct evidence *, struct arena *);

/* The object, as JSON text in the arena, with what is to be redacted (NULL:
 * nothing) gone; absent, and *why, if the run does not record the text, or its
 * folder cannot be read. */
struct str evidence_write(const struct evidence *, struct arena *,
    const struct trace *, struct redaction *, struct str *why);

#endif
