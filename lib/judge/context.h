/*
 * Builds the JSON context that a judge sees of a run: an object with the text
 * that is judged and the parts of the run that the check's author asked for.
 * The values are the record's own source text, undecoded; invisible characters
 * (controls, bidirectional marks, tags) are written as escapes.
 */
#pragma once

#include "judge/evidence/media.h"
#include "redact/redact.h"
#include "trace/trace.h"

enum context_text {
	CONTEXT_FINAL,      /* the run's final answer */
	CONTEXT_TURN,       /* the answer of one turn */
	CONTEXT_TRANSCRIPT, /* all texts and calls */
	CONTEXT_NONE,       /* no text: the parts that are asked for alone */
};

enum { /* bits */
	CONTEXT_PROMPT = 1,
	CONTEXT_TOOL_SEQUENCE = 2,
	CONTEXT_TOOL_INPUTS = 4,
	CONTEXT_WHOLE = 8, /* the context "transcript" */
	CONTEXT_EXPECTED = 16,
	CONTEXT_WORKSPACE = 32,
	CONTEXT_OF_SCENARIO = 64, /* the prompt has MCPLab's name */
	CONTEXT_RESULTS = 128,    /* each call with its arguments and result */
	CONTEXT_SYSTEM = 256,     /* the system prompt */
};

/* The parts of a run that one check asks for. */
struct context {
	enum context_text text;
	unsigned context;
	int64_t turn;        /* index, for CONTEXT_TURN; otherwise 0 */
	struct str prompt;   /* JSON; absent: use the recorded prompt if the
			      * prompt is asked for */
	struct str expected; /* JSON; absent unless asked for and given */
	const struct json *answer; /* in place of the recorded one, or NULL */
	struct str folder; /* the run's folder; absent unless asked for and
			      * given */
};

/*
 * Reads the turn of a pending result of mcpl-check, and the members text,
 * context, prompt, expected and workspace of its judge object. Returns false
 * and sets *why if the result asks for something unknown.
 */
bool context_read(struct context *, struct arena *, const struct json *result,
    struct str *why);

/* Returns a key for hash tables, in the arena. Two contexts have the same key
 * if and only if they ask for the same. */
struct str context_key(const struct context *, struct arena *);

/* The run from which a context is written. */
struct context_source {
	struct arena *arena; /* of the result */
	const struct trace *trace;
	struct redaction *redaction; /* NULL: not redacted */
	struct media *media;         /* gets the images */
	size_t files;                /* bytes of the texts of all files */
};

/* Returns the object as JSON text in the arena: with marks in place of base64,
 * then with secrets redacted. Returns an absent text and sets *why if
 * the run does not record the text, or if its folder cannot be read. */
struct str context_write(
    const struct context *, const struct context_source *, struct str *why);
