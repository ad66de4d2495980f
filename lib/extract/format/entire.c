/*
 * The Entire Transcript Format, version 1, also called compact transcripts: what
 * Entire converts the logs of many agents to (transcript.jsonl of a checkpoint).
 * AgentV wrote such lines as well. A line is a message, and a call holds its result.
 */
#include "extract/format/log_rows.h"

static const char *const counts[USAGE_COUNT] = {
	[USAGE_INPUT] = "input_tokens",
	[USAGE_OUTPUT] = "output_tokens",
};

/* Blocks of the user have no type; readers of the format take any such block for a
 * text. */
#define TEXT LOG_ROW("type=text, !type text=\"", LOG_TEXT, .of = "text")
#define NEITHER LOG_ROW("type=thinking|redacted_thinking|image", LOG_NOTHING)
#define PARTS \
	.id = "id", .tool = "name", .args = "input", \
	.result = "result.output", .duration = "result.duration_ms"

static const struct log_row blocks[] = {
	TEXT,
	LOG_ROW("type=tool_use result.status=success|error", LOG_CALL, PARTS,
	    .failed = "result.status=error"),
	LOG_ROW("type=tool_use !result.status=success|error", LOG_CALL, PARTS),
	NEITHER,
	LOG_LAST,
};

/* Codex logs do not say which calls failed: Entire writes success for all. */
static const struct log_row blocks_of_codex[] = {
	TEXT,
	LOG_ROW("type=tool_use", LOG_CALL, PARTS),
	NEITHER,
	LOG_LAST,
};

/* Entire merges messages without an id that follow one another, so that such a line
 * may be several answers of the model, or only a part of one. */
static const struct log_row rows[] = {
	LOG_ROW("", LOG_LOCATE, .of = "ts", .id = "id"),
	LOG_ROW("", LOG_SET, .member = RUN_AGENT, .of = "agent"),
	LOG_ROW("", LOG_META, .name = "cli_version", .of = "cli_version"),
	LOG_ROW("type=system", LOG_SYSTEM, .of = "content"),
	LOG_ROW("type=user", LOG_PROMPT, .of = "content"),
	LOG_ROW("type=assistant", LOG_MODEL, .of = "model"),
	LOG_ROW("type=assistant id", LOG_MESSAGE),
	LOG_ROW("type=assistant content=\"", LOG_TEXT, .of = "content"),
	LOG_ROW("type=assistant cli_version agent=codex*|Codex*", LOG_EACH,
	    .of = "content", .rows = blocks_of_codex),
	LOG_ROW("type=assistant !cli_version, type=assistant "
		"!agent=codex*|Codex*",
	    LOG_EACH, .of = "content", .rows = blocks),
	LOG_ROW("type=assistant input_tokens|output_tokens=#", LOG_USAGE,
	    .id = "id", .counts = counts),
	LOG_ROW("type=assistant id !input_tokens|output_tokens=#", LOG_REQUEST),
	LOG_LAST,
};

const struct log_format log_format_entire = {
	.name = "entire",
	.what = "Entire, AgentV: compact transcripts (transcript.jsonl)",
	.sure = "cli_version v=# type=user|assistant content=[|\", "
		"v=# agent=\" type=system|user|assistant content=[",
	.rows = rows,
};
