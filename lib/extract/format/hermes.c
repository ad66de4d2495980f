/*
 * Sessions of Hermes Agent: OpenAI's messages with members of its own, in
 * session files, in the output of hermes sessions export, and one message a
 * line in the transcripts of its gateway.
 */
#include "extract/api/openai_message.h"
#include "extract/format/log_rows.h"

/* Returns whether the program itself wrote the message: such a message has a
 * kind. A message of the user to one of several agents has a kind too. */
static bool
is_injected(const struct json *m, const struct json *kind)
{
	return json_double(json_get(m, "_compressed_summary")) == 1 ||
	    (json_is(kind, JSON_STRING) &&
		!json_str_is(kind, "participant_directed") &&
		!json_str_is(kind, "participant_message"));
}

static void
read_message(struct log *log, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *kind = json_get(m, "display_kind");

	if (json_str_is(kind, "failed_turn"))
		builder_error(b, json_get(m, "content"));
	if (is_injected(m, kind))
		return;
	if (json_str_is(json_get(m, "role"), "user"))
		builder_error(b, NULL); /* of the turn before */
	openai_message_read(b, m, json_get(m, "timestamp"), false);
	builder_stop_reason(b, json_get(m, "finish_reason"));
}

/* Reads the counts of an exported session. The input count excludes cached
 * tokens. */
static void
read_usage(struct log *log, const struct json *r)
{
	const struct json *actual = field_find(r, "actual_cost_usd");
	struct usage u = { 0 };

	field_usage(&u, r, .input = "input_tokens", .output = "output_tokens",
	    .cache_read = "cache_read_tokens",
	    .cache_write = "cache_write_tokens");
	usage_read(&u, USAGE_COST,
	    actual != NULL ? actual : field_find(r, "estimated_cost_usd"));
	if (u.known != 0)
		builder_usage_uncounted(log->builder, &u);
}

static const struct log_row messages[] = {
	LOG_ROW("role=user|assistant|tool|system|developer|function", LOG_HOOK,
	    .read = read_message),
	LOG_ROW("role=session_meta", LOG_NOTHING),
	LOG_LAST,
};

#define SESSION "messages=["

/* A session that was compacted continues in another one, and each has its own counts. */
static const struct log_row rows[] = {
	LOG_ROW(SESSION, LOG_BEGIN, .of = "session_id id"),
	LOG_ROW(
	    SESSION, LOG_SET, .member = RUN_PROVIDER, .of = "billing_provider"),
	LOG_ROW(SESSION, LOG_MODEL, .of = "model"),
	LOG_ROW(SESSION, LOG_META, .name = "platform", .of = "platform source"),
	LOG_ROW(SESSION, LOG_META, .name = "title", .of = "title"),
	LOG_ROW(SESSION, LOG_META, .name = "cwd", .of = "cwd"),
	LOG_ROW(SESSION, LOG_META, .name = "parent_session",
	    .of = "parent_session_id"),
	LOG_ROW(SESSION, LOG_BEGAN,
	    .of = "segments.0.session_start segments.0.started_at "
		  "session_start started_at"),
	LOG_ROW(SESSION, LOG_ENDED, .of = "last_updated ended_at"),
	LOG_ROW(SESSION, LOG_SYSTEM, .of = "system_prompt"),
	LOG_ROW(SESSION, LOG_EACH, .of = "messages", .rows = messages,
	    .apart = true),
	LOG_ROW(SESSION, LOG_HOOK, .each = "segments", .read = read_usage),
	LOG_ROW(SESSION " !segments.0=?", LOG_HOOK, .read = read_usage),
	LOG_ROW(SESSION, LOG_END),
	LOG_ROW("role=session_meta", LOG_BEGIN),
	LOG_ROW("role=session_meta", LOG_MODEL, .of = "model"),
	LOG_ROW("role=session_meta", LOG_META, .name = "platform",
	    .of = "platform"),
	LOG_ROW("role else", LOG_IN, .of = "", .rows = messages),
	LOG_LAST,
};

const struct log_format log_format_hermes = {
	.name = "hermes",
	.what = "Hermes: sessions (files or exported), gateway transcripts",
	.sure = "session_start session_id messages=[, "
		"end_reason=? source started_at messages=[, "
		"role=session_meta",
	.rows = rows,
	.knows_blocks = true,
};
