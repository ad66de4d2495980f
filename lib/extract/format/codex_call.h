/*
 * What Codex's session files and codex exec have in common: calls, in events
 * (exec_command_begin, mcp_tool_call_end, ...) and in the items of newer
 * versions (command_execution, McpToolCall, ...); and counts of tokens.
 */
#pragma once

#include "extract/run/builder.h"

/* How the log tells of calls. */
struct codex_calls {
	/* Also in items of its own, with the output that the model saw. */
	bool items;
	/* Body: id of the call whose program makes those without an item. */
	struct str within;
};

/* Tells the builder of a call, or of its end, or of both; false if the event
 * tells of none. */
bool codex_call_read(
    struct builder *, const struct json *event, const struct codex_calls *);

/*
 * What Codex puts before a command's output for the model to see: its exit
 * code and how long it took. Of a result whose value is such a text the
 * builder is told both.
 */
void codex_output_read(struct builder *, const struct json *item);

/* What was used, by Codex's names. */
struct usage codex_usage(const struct json *counts);
