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
read_usage(struct builder *b, const struct json *r)
{
	const struct json *actual = field_find(r, "actual_cost_usd");
	struct usage u = { 0 };

	field_usage(&u, r, .input = "input_tokens", .output = "output_tokens",
	    .cache_read = "cache_read_tokens",
	    .cache_write = "cache_write_tokens");
	usage_read(&u, USAGE_COST,
	    actual != NULL ? actual : field_find(r, "estimated_cost_usd"));
	if (u.known != 0)
		builder_usage_uncounted(b, &u);
}

static void
read_about(struct builder *b, const struct json *r)
{
	const struct json *first = json_at(json_get(r, "segments"), 0);

	builder_set(b, RUN_ID, field_find(r, "session_id id"));
	builder_set(b, RUN_PROVIDER, field_find(r, "billing_provider"));
	builder_model(b, json_get(r, "model"));
	builder_meta(b, "platform", field_find(r, "platform source"));
	builder_meta(b, "title", json_get(r, "title"));
	builder_meta(b, "cwd", json_get(r, "cwd"));
	builder_meta(b, "parent_session", json_get(r, "parent_session_id"));
	builder_set_times(b,
	    field_find(first != NULL ? first : r, "session_start started_at"),
	    field_find(r, "last_updated ended_at"));
}

static const struct log_row messages[] = {
	LOG_ROW("role=user|assistant|tool|system|developer|function", LOG_HOOK,
	    .read = read_message),
	LOG_ROW("role=session_meta", LOG_NOTHING),
	LOG_LAST,
};

static void
read_session(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *segments = json_get(r, "segments");

	builder_begin_run(b);
	read_about(b, r);
	builder_system(b, json_get(r, "system_prompt"));
	for (json_each(m, json_get(r, "messages")))
		log_read_part(log, messages, m);
	/* A session that was compacted continues in another one, and each has
	 * its own counts. */
	for (json_each(segment, segments))
		read_usage(b, segment);
	if (json_count(segments) == 0)
		read_usage(b, r);
	builder_end_run(b);
}

static const struct log_row rows[] = {
	LOG_ROW("messages=[", LOG_HOOK, .read = read_session),
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
