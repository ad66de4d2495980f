/*
 * The input of a hook: what Claude Code, Codex and Cursor tell a program that they ask
 * about a call before the call is made, and about other events of a session. The
 * transcript that the input names is read like any log; what the input tells beside it
 * is added to the run that the transcript ends with.
 */
#pragma once

#include "extract/run/builder.h"
#include "io/in.h"

struct hook {
	struct arena arena;
	const struct json *input;       /* an object */
	const struct hook_event *event; /* NULL: of no kind that is known */
	char *transcript;               /* NULL: the input names none */
	bool reported;                  /* hook_report was called */
};

/* Reads the input of a hook, one JSON object, from the input. Returns false, after a
 * report, if it is none. */
bool hook_read(struct hook *, struct in *);

/* Adds the event to the run that is open or was read last in the builder, or else to a
 * new run. A call is added once: a call with the same id that the transcript has already
 * becomes the call that the hook asks about. */
void hook_report(struct hook *, struct builder *);

/* Writes a run that has only what the input tells; unless `known`, the run may lack
 * what the transcript has. */
void hook_write_alone(
    struct hook *, const struct builder_options *, bool known);
