/*
 * Threads of Zed's agent: rows of its database (databases.c), whose `data` is the thread
 * or, in hexadecimal digits, the thread compressed with zstd; and the threads alone.
 */
#include "base/ascii.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "io/proc.h"

#include <errno.h>

enum {
	SECONDS = 60,         /* for a thread */
	THREAD_MAX = 1 << 30, /* bytes of a thread */
};

/* ---- messages ---- */

/* Reads a result, whose content is a text, {Text}, or a list of these. */
static void
read_result(struct log *log, const struct json *result)
{
	const struct json *content = json_get(result, "content");
	const struct json *one =
	    json_count(content) == 1 && json_is(content, JSON_ARRAY)
	    ? json_first(content)
	    : content;
	const struct json *text = json_get(one, "Text");

	builder_result(log->builder, .id = json_get(result, "tool_use_id"),
	    .tool = json_get(result, "tool_name"),
	    .value = text != NULL ? text : content,
	    .is_error = json_get(result, "is_error"));
}

static void
read_results(struct log *log, const struct json *results)
{
	for (json_members(key, results))
		read_result(log, json_value(key));
}

static const struct log_row answer[] = {
	LOG_ROW("Text", LOG_TEXT, .of = "Text"),
	LOG_ROW("ToolUse", LOG_CALL, .id = "ToolUse.id", .tool = "ToolUse.name",
	    .args = "ToolUse.input"),
	LOG_ROW("Thinking, RedactedThinking=?", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row question[] = {
	LOG_ROW("Text", LOG_PROMPT, .of = "Text"),
	LOG_ROW("Mention, Image", LOG_NOTHING),
	LOG_LAST,
};

/* The parts of a message of older versions. */
static const struct log_row said[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=thinking|redacted_thinking", LOG_NOTHING),
	LOG_LAST,
};
static const struct log_row asked[] = {
	LOG_ROW("type=text", LOG_PROMPT, .of = "text"),
	LOG_LAST,
};
static const struct log_row calls[] = {
	LOG_ROW("name", LOG_CALL, .id = "id", .tool = "name", .args = "input"),
	LOG_LAST,
};
static const struct log_row results[] = {
	LOG_ROW("tool_use_id", LOG_HOOK, .read = read_result),
	LOG_LAST,
};

static const struct log_row messages[] = {
	LOG_ROW("User", LOG_EACH, .of = "User.content", .rows = question),
	LOG_ROW("Agent, role=assistant", LOG_MESSAGE),
	LOG_ROW("Agent", LOG_EACH, .of = "Agent.content", .rows = answer),
	LOG_ROW("Agent", LOG_HOOK, .of = "Agent.tool_results",
	    .read = read_results),
	LOG_ROW("role tool_results", LOG_EACH, .of = "tool_results",
	    .rows = results),
	LOG_ROW("role=user", LOG_EACH, .of = "segments", .rows = asked),
	LOG_ROW("role=assistant", LOG_EACH, .of = "segments", .rows = said),
	LOG_ROW("role=assistant", LOG_EACH, .of = "tool_uses", .rows = calls),
	LOG_ROW("role=system", LOG_NOTHING),
	LOG_LAST,
};

/* ---- threads ---- */

static void
read_thread(struct log *log, const struct json *thread)
{
	struct builder *b = log->builder;
	struct usage u = { 0 };

	builder_set(b, RUN_PROVIDER, json_path(thread, "model.provider"));
	builder_model(b, json_path(thread, "model.model"));
	builder_meta(b, "title", field_find(thread, "title summary"));
	for (json_each(m, json_get(thread, "messages"))) {
		builder_locate(b, .message = json_path(m, "User.id"));
		if (!json_str_is(m, "Resume"))
			log_read_part(log, messages, m);
	}
	builder_set_times(b, NULL, json_get(thread, "updated_at"));
	field_usage(&u, json_get(thread, "cumulative_token_usage"),
	    .input = "input_tokens", .output = "output_tokens",
	    .cache_read = "cache_read_input_tokens",
	    .cache_write = "cache_creation_input_tokens");
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
}

static unsigned
digit(struct str digits, size_t i)
{
	return (unsigned)ascii_hex((unsigned char)digits.s[i]) & 0xf;
}

/* Returns the text that the hexadecimal digits stand for, unpacked by zstd, or, after an
 * error message, the absent text. */
static struct str
unpack(struct log *log, struct str digits)
{
	char *bytes = arena_new_n(log->scratch, char, digits.n / 2 + 1);
	char program[] = "zstd", option[] = "-dcq";
	char *argv[] = { program, option, NULL };
	struct proc p = { .argv = argv,
		.seconds = SECONDS,
		.limit = THREAD_MAX,
		.arena = log->scratch,
		.errors = true,
		.bounded = true,
		.input = { bytes, digits.n / 2 } };

	for (size_t i = 0; i < digits.n / 2; i++)
		bytes[i] = (char)(digit(digits, 2 * i) << 4 |
		    digit(digits, 2 * i + 1));
	proc_run(&p);
	if (p.failed == ENOENT)
		diag_error(log->at,
		    "a thread compressed with zstd; zstd, which would "
		    "unpack it, is not there");
	else if (proc_trouble(&p).n != 0)
		diag_error(
		    log->at, "damaged: zstd could not unpack the thread");
	else
		return p.output[0].text;
	return (struct str){ 0 };
}

static void
read_row(struct log *log, const struct json *r)
{
	const struct json *thread = json_get(r, "data");

	builder_begin_run(log->builder);
	builder_set(log->builder, RUN_ID, json_get(r, "id"));
	builder_meta(log->builder, "parent_session", json_get(r, "parent_id"));
	if (json_is(thread, JSON_STRING))
		thread =
		    copy_parsed(log->scratch, unpack(log, json_raw(thread)));
	if (json_is(thread, JSON_OBJECT))
		read_thread(log, thread);
	else
		log_unread_as(log, r, RUN_LOST_CALL | RUN_LOST_TEXT);
	builder_end_run(log->builder);
}

#define THREAD "messages=[ updated_at !data"

static const struct log_row rows[] = {
	LOG_ROW("data_type=json|zstd data", LOG_HOOK, .read = read_row),
	LOG_ROW(THREAD, LOG_BEGIN),
	LOG_ROW(THREAD, LOG_HOOK, .read = read_thread),
	LOG_ROW(THREAD, LOG_END),
	LOG_LAST,
};

const struct log_format log_format_zed = {
	.name = "zed",
	.what = "Zed: threads of its agent, alone or in threads.db",
	.sure = "data_type=json|zstd data id, messages.0.User updated_at, "
		"messages.0.Agent updated_at",
	.rows = rows,
};
