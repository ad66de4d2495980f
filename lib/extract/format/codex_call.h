/*
 * Parts that Codex's session files and codex exec share: calls, in events
 * (exec_command_begin, mcp_tool_call_end, ...) and in the items of newer
 * versions (command_execution, McpToolCall, ...); and counts of tokens.
 */
#pragma once

#include "extract/format/log_format.h"

/* Calls as the log records them, and those that wait for another record. */
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

/* Types of events that carry nothing, or nothing that other records do not hold,
 * as words of a condition (log_rows.h). */
#define CODEX_EVENTS_OF_NOTHING \
	"agent_reasoning|agent_reasoning_raw_content|" \
	"agent_reasoning_section_break|agent_reasoning_delta|" \
	"agent_reasoning_raw_content_delta|agent_message_delta|" \
	"agent_message_content_delta|reasoning_content_delta|" \
	"reasoning_raw_content_delta|exec_command_output_delta|plan_delta|" \
	"plan_update|turn_diff|patch_apply_updated|terminal_interaction|" \
	"context_compacted|thread_settings_applied|thread_goal_updated|" \
	"thread_name_updated|guardian_assessment|guardian_warning|warning|" \
	"stream_error|background_event|deprecation_notice|model_reroute|" \
	"model_verification|turn_moderation_metadata|safety_buffering|" \
	"mcp_startup_update|mcp_startup_complete|mcp_list_tools_response|" \
	"list_custom_prompts_response|get_history_entry_response|" \
	"exec_approval_request|apply_patch_approval_request|" \
	"request_permissions|request_user_input|elicitation_request|" \
	"item_started|hook_started|hook_completed|raw_response_item|" \
	"raw_response_completed|exited_review_mode|conversation_path|" \
	"environment_connected|environment_disconnected|undo_started|" \
	"undo_completed|sub_agent_activity|shutdown_complete|" \
	"realtime_conversation_started|realtime_conversation_realtime|" \
	"realtime_conversation_closed|realtime_conversation_sdp|" \
	"realtime_conversation_list_voices_response|account/rateLimits/" \
	"updated"

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

/* Counts an event or item that no function knows as unread. If it has the id of
 * a call, it may be the call. */
void codex_event_unread(struct log *, const struct json *event);

/* Splits the name SERVER__TOOL that older versions give to a tool of an MCP
 * server, in the item of the call. */
void codex_server_read(struct builder *, const struct json *item);

/* Reads the text that Codex puts before a command's output for the model: its
 * exit code and its duration. Passes both to the builder, for a result whose
 * value begins with such a text. */
void codex_output_read(struct builder *, const struct json *item);

/* Returns the usage in counts that have Codex's names. */
struct usage codex_usage(const struct json *counts);

/* Returns the time when an id of UUID version 7 was made: its first 48 bits; 0
 * for another id. */
int64_t codex_time_of_id(struct str id);
