/*
 * Aider's chat history, as notation/aider_history.c makes objects of the Markdown. A run
 * is a start of the program. The log has no calls as such: an edit that the program says
 * it applied is a call of "edit", and a command that it ran is one of "shell".
 */
#include "extract/format/log_rows.h"

static const struct log_row rows[] = {
	LOG_ROW("started", LOG_BEGIN),
	LOG_ROW("started", LOG_META, .name = "started", .of = "started"),
	LOG_ROW("version", LOG_META, .name = "version", .of = "version"),
	LOG_ROW("model", LOG_MODEL, .of = "model"),
	LOG_ROW("user", LOG_PROMPT, .of = "user"),
	LOG_ROW("answer", LOG_NO_ERROR),
	LOG_ROW("answer", LOG_MESSAGE),
	LOG_ROW("answer", LOG_TEXT, .of = "answer"),
	LOG_ROW("tool", LOG_CALL, .tool = "tool", .args = "args"),
	LOG_ROW("sent", LOG_USAGE, .of = "",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "sent",
		[USAGE_OUTPUT] = "received", [USAGE_CACHE_READ] = "cache_hit",
		[USAGE_CACHE_WRITE] = "cache_write", [USAGE_COST] = "cost")),
	LOG_ROW("error", LOG_ERROR, .of = "error"),
	/* The user's commands, and what the program says of itself. */
	LOG_ROW("command|note", LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_aider = {
	.name = "aider",
	.what = "Aider's .aider.chat.history.md",
	.sure = "started=\" !session|id|type",
	.rows = rows,
	.knows_blocks = true,
	.unflagged = UNFLAGGED_OK,
};
