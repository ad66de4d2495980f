/*
 * Session files of pi, and of openclaw, which is based on it; and the output of
 * pi with --mode json, where a message is logged while it grows and once it is
 * done.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_format.h"

/* Members of a record, in the order in which they are written. */
enum { TYPE, ID, PARENT, TIMESTAMP, MESSAGE, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[ID] = STR_CONST("id"),
	[PARENT] = STR_CONST("parentId"),
	[TIMESTAMP] = STR_CONST("timestamp"),
	[MESSAGE] = STR_CONST("message"),
};

static int
score(const struct json *r)
{
	const struct json *m = json_get(r, "message");

	/* Other programs also begin a file with such a record, but write the
	 * time under another name. */
	if (field_is_type(r, "session"))
		return json_get(r, "cwd") != NULL &&
			json_get(r, "id") != NULL &&
			json_get(r, "timestamp") != NULL
		    ? LOG_FORMAT_SURE
		    : 0;
	if (field_is_type(r, "message_start"))
		return json_get(m, "role") != NULL;
	return field_is_type(r, "message message_end") &&
		(json_get(m, "toolCallId") != NULL ||
		    json_get(m, "stopReason") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_usage(struct builder *b, const struct json *counts)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "input",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "cacheRead",
		[USAGE_CACHE_WRITE] = "cacheWrite",
	};
	struct usage u = { 0 };

	usage_read_named(&u, counts, words);
	usage_read(&u, USAGE_COST, json_path(counts, "cost.total"));
	builder_usage(b, (struct str){ 0 }, &u, false);
}

static void
read_block(struct builder *b, const struct json *block)
{
	const struct json *type = json_get(block, "type");

	if (json_str_is(type, "text"))
		builder_text(b, json_get(block, "text"));
	else if (json_str_is(type, "toolCall"))
		openai_call_read(b, block);
}

/* Reads an assistant's message. A message that was aborted before it said
 * anything is no answer. */
static void
read_assistant(struct builder *b, const struct json *m)
{
	const struct json *content = json_get(m, "content");
	const struct json *why = json_get(m, "errorMessage");
	const struct json *stopped = json_get(m, "stopReason");

	if (json_first(content) != NULL || json_raw(content).n != 0) {
		builder_model(b, json_get(m, "model"));
		builder_set_first(b, RUN_PROVIDER, json_get(m, "provider"));
	}
	builder_text(b, content);
	for (json_each(block, content))
		read_block(b, block);
	read_usage(b, json_get(m, "usage"));
	builder_error(b, json_str_is(stopped, "error") ? why : NULL);
	if (json_str_is(stopped, "aborted"))
		builder_meta(b, "interrupted", why != NULL ? why : stopped);
}

static void
read_message(struct builder *b, const struct json *m)
{
	struct str role = json_raw(json_get(m, "role"));

	if (str_is(role, "user"))
		builder_prompt(b, json_get(m, "content"));
	else if (str_is(role, "assistant"))
		read_assistant(b, m);
	else if (str_is(role, "toolResult"))
		builder_result(b, .id = json_get(m, "toolCallId"),
		    .tool = json_get(m, "toolName"),
		    .value = json_get(m, "content"),
		    .is_error = json_get(m, "isError"));
}

static void
read_session(struct builder *b, const struct json *r)
{
	builder_begin_run(b);
	builder_set(b, RUN_ID, json_get(r, "id"));
	builder_meta(b, "cwd", json_get(r, "cwd"));
	builder_meta(b, "parent_session", json_get(r, "parentSession"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	if (json_str_is(m[TYPE], "session")) {
		read_session(b, r);
		return;
	}
	if (m[TIMESTAMP] == NULL || m[TIMESTAMP]->type == JSON_NULL)
		m[TIMESTAMP] = json_get(m[MESSAGE], "timestamp");
	builder_locate(b, .ts = m[TIMESTAMP], .node = m[ID], .after = m[PARENT],
	    .content = m[MESSAGE],
	    /* The user went back to before the first message. */
	    .root = m[ID] != NULL && json_is(m[PARENT], JSON_NULL));
	if (json_str_is(m[TYPE], "message") ||
	    json_str_is(m[TYPE], "message_end"))
		read_message(b, m[MESSAGE]);
	else if (json_str_is(m[TYPE], "session_info"))
		builder_meta(b, "title", json_get(r, "name"));
}

const struct log_format log_format_pi = {
	.name = "pi",
	.what = "pi, openclaw: session files; output of pi --mode json",
	.score = score,
	.signs =
	    "type=session type=message type=message_start type=message_end",
	.read = read_record,
};
