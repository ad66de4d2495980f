/* Kimi's command line: wire.jsonl of a session, as Kimi Code writes it and as
 * kimi-cli did before. */
#include "extract/format/kimi_cli.h"

/* Members of a record, in the order in which they are written. */
enum { TYPE, EVENT, MESSAGE, TIME, AGENT, MEMBERS };

static const struct str members[MEMBERS] = {
	[TYPE] = STR_CONST("type"),
	[EVENT] = STR_CONST("event"),
	[MESSAGE] = STR_CONST("message"),
	[TIME] = STR_CONST("time"),
	[AGENT] = STR_CONST("agentId"),
};

static int
score(const struct json *r)
{
	return (field_is_type(r, "metadata") &&
		   json_get(r, "protocol_version") != NULL) ||
		kimi_cli_is(r) ||
		(field_is_type(r,
		     "context.append_loop_event context.append_message "
		     "turn.prompt") &&
		    json_get(r, "time") != NULL)
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
read_call(struct builder *b, const struct json *event)
{
	builder_call(b, .id = json_get(event, "toolCallId"),
	    .tool = json_get(event, "name"), .args = json_get(event, "args"));
}

static void
read_result(struct builder *b, const struct json *event)
{
	const struct json *result = json_get(event, "result");
	const struct json *output = json_get(result, "output");

	builder_result(b, .id = json_get(event, "toolCallId"),
	    .value = output != NULL ? output : result,
	    .is_error = field_find(result, "isError is_error"));
}

static void
read_usage(struct builder *b, const struct json *event)
{
	static const char *const words[USAGE_COUNT] = {
		[USAGE_INPUT] = "inputOther",
		[USAGE_OUTPUT] = "output",
		[USAGE_CACHE_READ] = "inputCacheRead",
		[USAGE_CACHE_WRITE] = "inputCacheCreation",
	};
	const struct json *counts = json_get(event, "usage");
	struct usage u = { 0 };

	usage_read_named(&u, counts, words);
	builder_usage(
	    b, json_raw(field_find(event, "uuid messageId")), &u, false);
}

static void
read_event(struct builder *b, const struct json *event)
{
	const struct json *type = json_get(event, "type");

	if (json_str_is(type, "tool.call"))
		read_call(b, event);
	else if (json_str_is(type, "tool.result"))
		read_result(b, event);
	else if (json_str_is(type, "step.end"))
		read_usage(b, event);
	else if (json_str_is(type, "content.part") &&
	    field_is(json_get(event, "part"), "type", "text"))
		builder_text(b, json_path(event, "part.text"));
}

/* A prompt is told as the user wrote it, and again where the model is given
 * it; older files have the latter alone. */
static void
read_prompt(struct log *log, const struct json *r)
{
	const struct json *kind = json_path(r, "origin.kind");

	log->state = log; /* prompts are told */
	if (kind == NULL || json_str_is(kind, "user"))
		builder_prompt(log->builder, json_get(r, "input"));
}

static void
read_message(struct log *log, const struct json *m)
{
	const struct json *kind = json_path(m, "origin.kind");

	if (log->state == NULL && field_is(m, "role", "user") &&
	    (kind == NULL || json_str_is(kind, "user")))
		builder_prompt(log->builder, json_get(m, "content"));
}

static void
read_outcome(struct builder *b, const struct json *r)
{
	const struct json *why = field_find(r, "error reason");

	builder_error(b, field_is(r, "reason", "failed") ? why : NULL);
	if (field_is(r, "reason", "cancelled"))
		builder_meta(b, "interrupted", why);
}

/* What the user took back. */
static void
read_undo(struct builder *b, const struct json *r)
{
	int64_t turns;

	if (json_int(json_get(r, "count"), &turns) && turns > 0)
		builder_rewind(b, (size_t)turns);
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS], *type;
	bool other;

	json_pick(r, members, MEMBERS, m);
	type = m[TYPE];
	other = m[AGENT] != NULL && !json_str_is(m[AGENT], "main");
	if (json_str_is(type, "metadata")) { /* a file's first */
		log->state = NULL;
		builder_begin_run(b);
		return;
	}
	if (m[MESSAGE] != NULL && kimi_cli_is(r)) {
		kimi_cli_read(b, r);
		return;
	}
	builder_locate(b, .ts = m[TIME],
	    .message = json_get(m[EVENT], "stepUuid"), .sidechain = other,
	    .agent = other ? m[AGENT] : NULL);
	if (json_str_is(type, "turn.prompt") || json_str_is(type, "turn.steer"))
		read_prompt(log, r);
	else if (json_str_is(type, "context.append_message"))
		read_message(log, m[MESSAGE]);
	else if (json_str_is(type, "context.append_loop_event"))
		read_event(b, m[EVENT]);
	else if (json_str_is(type, "context.undo"))
		read_undo(b, r);
	else if (json_str_is(type, "llm.request")) {
		builder_model(b, json_get(r, "model"));
		builder_set(b, RUN_PROVIDER, json_get(r, "provider"));
	} else if (json_str_is(type, "turn.ended")) {
		builder_turn_duration(b, json_get(r, "durationMs"));
		if (!other)
			read_outcome(b, r);
	}
}

const struct log_format log_format_kimi = {
	.name = "kimi",
	.what = "Kimi Code and kimi-cli: wire.jsonl of a session",
	.score = score,
	.read = read_record,
};
