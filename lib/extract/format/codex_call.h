/*
 * Parts that Codex's session files and codex exec share: calls, in events
 * (exec_command_begin, mcp_tool_call_end, ...) and in the items of newer
 * versions (command_execution, McpToolCall, ...); and counts of tokens.
 */
#pragma once

#include "extract/run/builder.h"

/* How the log records calls, and those that wait for another record. */
struct codex_calls {
	/* Each call is also in an item, with the output that the model saw. */
	bool items;
	/* The body of the id of the call whose program makes the calls that
	 * have an event but no item; absent: none. */
	struct str within;

	/* private: the searches and images of the turn */
	size_t asked;     /* searches with an item, but no event yet */
	struct str *seen; /* ids of searches whose event came first */
	size_t n_seen;
	size_t n_paired; /* the first of `seen`, whose items have come */
	size_t images;   /* images with an event, but no item yet */
};

/* Notes that a turn begins. */
void codex_calls_turn(struct codex_calls *);

/* Reads the item of a call that the API itself ran and whose event came before
 * the item. Returns false if there was no such event: the item is to be read as
 * any other. */
bool codex_item_read(
    struct builder *, const struct json *item, struct codex_calls *);

/* Reads the start of a call, its end, or both from an event. Returns false if
 * the event is not about a call. */
bool codex_call_read(
    struct builder *, const struct json *event, struct codex_calls *);

/* Reads the text that Codex puts before a command's output for the model: its
 * exit code and its duration. Passes both to the builder, for a result whose
 * value begins with such a text. */
void codex_output_read(struct builder *, const struct json *item);

/* Returns the usage in counts that have Codex's names. */
struct usage codex_usage(const struct json *counts);
