/*
 * Threads of Amp, one JSON object each: the files that Amp keeps, and the
 * output of "amp threads export".
 */
#include "extract/api/anthropic_message.h"
#include "extract/format/log_rows.h"

/* Returns whether a tool's run failed, or NULL if it has not ended. The status
 * is "done" also for a command that failed: its exit code decides. */
static const struct json *
failed(const struct json *run)
{
	const struct json *code = json_path(run, "result.exitCode");

	if (field_is(run, "status", "error cancelled rejected-by-user"))
		return builder_bool(true);
	if (!field_is(run, "status", "done"))
		return NULL;
	return builder_bool(
	    json_is(code, JSON_NUMBER) && json_double(code) != 0);
}

static void
read_result(struct builder *b, const struct json *block)
{
	const struct json *run = json_get(block, "run");
	const struct json *is_error = failed(run);

	if (is_error != NULL)
		builder_result(b, .id = json_get(block, "toolUseID"),
		    .value = field_find(run,
			"error.message error result.output result reason "
			"status"),
		    .is_error = is_error);
	else
		b->reported |= BUILDER_NOTHING; /* the tool still runs */
}

/* Reads a message of the user. Results are messages of the user too, and such a
 * message is no prompt unless it has a text block. */
static void
read_user(struct log *log, const struct json *content)
{
	struct builder *b = log->builder;
	bool has_text = false;

	for (json_each(block, content)) {
		if (field_is_type(block, "tool_result"))
			read_result(b, block);
		else if (!field_is_type(block, "text"))
			builder_unread_part(b, block);
		has_text |= field_is_type(block, "text");
	}
	if (has_text)
		builder_prompt(b, content);
}

static void
read_assistant(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *state = json_get(m, "state");
	const struct json *why = field_find(state, "error.message error type");
	struct usage u = anthropic_usage_of_program(json_get(m, "usage"));

	builder_model(b, json_path(m, "usage.model"));
	builder_message(b);
	for (json_each(block, json_get(m, "content")))
		anthropic_block_read(b, block);
	builder_usage(b, (struct str){ 0 }, &u, false);
	builder_error(b, field_is_type(state, "error") ? why : NULL);
	if (field_is_type(state, "cancelled"))
		builder_meta(b, "interrupted", json_get(state, "type"));
}

static const struct log_row messages[] = {
	LOG_ROW("", LOG_LOCATE, .of = "meta.sentAt usage.timestamp"),
	LOG_ROW("role=user", LOG_HOOK, .of = "content", .read = read_user),
	LOG_ROW("role=assistant", LOG_HOOK, .read = read_assistant),
	/* Commands that the user ran, summaries for another thread. */
	LOG_ROW("role=info", LOG_NOTHING),
	LOG_LAST,
};

#define THREAD "id=T-* created messages=["

static const struct log_row rows[] = {
	LOG_ROW(THREAD, LOG_BEGIN, .of = "id"),
	LOG_ROW(THREAD, LOG_META, .name = "title", .of = "title"),
	LOG_ROW(THREAD, LOG_META, .name = "mode", .of = "agentMode"),
	LOG_ROW(
	    THREAD, LOG_META, .name = "cwd", .of = "env.initial.trees.0.uri"),
	LOG_ROW(
	    THREAD, LOG_META, .name = "parent_session", .of = "mainThreadID"),
	LOG_ROW(THREAD, LOG_BEGAN, .of = "created"),
	LOG_ROW(THREAD, LOG_EACH, .of = "messages", .rows = messages,
	    .apart = true),
	LOG_ROW(THREAD, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_amp = {
	.name = "amp",
	.what = "Amp: thread files, exported threads",
	.sure = "created=# id=T-* messages=[ !messages.0, "
		"created=# id=T-* messages.0.messageId",
	.rows = rows,
	.knows_blocks = true,
};
