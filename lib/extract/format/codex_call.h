/*
 * Parts that Codex's session files and codex exec share: calls, in events
 * (exec_command_begin, mcp_tool_call_end, ...) and in the items of newer
 * versions (command_execution, McpToolCall, ...); and counts of tokens.
 */
#pragma once

#include "extract/run/builder.h"

/* The ways in which the log records calls. */
struct codex_calls {
	/* Calls are also in items of their own, with the output that the model
	 * saw. */
	bool items;
	/* Body: id of the call whose program makes those calls that have no
	 * item. */
	struct str within;

	/* private: the searches and images of the turn */
	size_t asked;     /* items whose event did not come yet */
	struct str *seen; /* ids of events whose item did not come yet */
	size_t n_seen, n_paired;
	size_t images; /* events whose item did not come yet */
};

/* Notes that a turn begins. */
void codex_calls_turn(struct codex_calls *);

/* Reads the item of a call that the API itself ran and whose event came before
 * the item. Returns false if there was no such event: the item is to be read as
 * any other. */
bool codex_item_read(
    struct builder *, const struct json *item, struct codex_calls *);

/* Reads the begin of a call, its end, or both from an event. Returns false if
 * the event is not about a call. */
bool codex_call_read(
    struct builder *, const struct json *event, struct codex_calls *);

/* Reads the text that Codex puts before a command's output for the model: its
 * exit code and its duration. Passes both to the builder, for a result whose
 * value begins with such a text. */
void codex_output_read(struct builder *, const struct json *item);

/* Returns the usage in counts that have Codex's names. */
struct usage codex_usage(const struct json *counts);
