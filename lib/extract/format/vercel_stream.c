/*
 * Streams of the Vercel AI SDK: those that it sends to a user interface, and
 * those of a run for its program (fullStream), one chunk a record. Each stream
 * is a run.
 */
#include "extract/format/log_rows.h"
#include "extract/format/vercel_ai.h"

struct stream {
	bool open;    /* the run's begin was read, but not its end */
	bool counted; /* the steps have counts */
};

static void
begin(struct log *log, const struct json *r)
{
	struct stream *s = log->state;

	builder_begin_run(log->builder);
	*s = (struct stream){ .open = true };
	builder_set(log->builder, RUN_ID, json_get(r, "messageId"));
	builder_set_broken(log->builder, true); /* until its end is read */
}

static void
begin_step(struct log *log, const struct json *r)
{
	const struct stream *s = log->state;

	if (!s->open)
		begin(log, r);
	builder_locate(log->builder, 0);
	builder_message(log->builder);
}

/* Reads the end of a step. Chunks for a user interface have no counts. */
static void
read_step_end(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct stream *s = log->state;

	s->counted |= json_get(r, "usage") != NULL;
	builder_locate(b, .ts = field_find(r, "response.timestamp"));
	vercel_step_end_read(log, r);
}

static void
read_end(struct log *log, const struct json *r)
{
	struct stream *s = log->state;
	struct builder *b = log->builder;
	struct usage u = { 0 };

	vercel_usage_read(&u,
	    field_find(r,
		"totalUsage messageMetadata.totalUsage "
		"messageMetadata.usage"));
	if (!s->counted)
		builder_usage_uncounted(b, &u);
	builder_model(
	    b, field_find(r, "messageMetadata.model messageMetadata.modelId"));
	builder_stop_reason(b, json_get(r, "finishReason"));
	builder_set_broken(b, false);
	s->open = false;
}

/* Reads a whole call, which may have begun before. */
static void
read_call(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *id = json_get(r, "toolCallId");

	if (!builder_has_call(b, id) || builder_lacks_call(b, id)) {
		vercel_call(b, r, json_get(r, "toolName"));
		return;
	}
	builder_set_args(b, id, vercel_args(r));
	builder_append_args(b, id, vercel_args(r)); /* text that holds JSON */
}

static void
read_result(struct log *log, const struct json *r)
{
	vercel_result(log->builder, r, json_get(r, "toolName"), false);
}

#define RESULTS \
	"type=tool-result|tool-error|tool-output-available|" \
	"tool-output-error|tool-output-denied|tool-input-error"

static const struct log_row rows[] = {
	LOG_ROW("type=start", LOG_HOOK, .read = begin),
	LOG_ROW("type=start-step|step-start", LOG_HOOK, .read = begin_step),
	LOG_ROW("type=text-start", LOG_TEXT_END),
	LOG_ROW("type=text-delta", LOG_PIECE, .of = "delta text textDelta"),
	/* The arguments of the call come in pieces, and may never come whole. */
	LOG_ROW("type=tool-input-start|tool-call-streaming-start", LOG_CALL,
	    .id = "toolCallId id", .tool = "toolName"),
	LOG_ROW("type=tool-input-delta|tool-call-delta", LOG_ARGS,
	    .id = "toolCallId id", .of = "inputTextDelta delta argsTextDelta"),
	LOG_ROW("type=tool-call|tool-input-available|tool-input-error",
	    LOG_HOOK, .read = read_call),
	/* A preliminary result is shown until the final one comes. */
	LOG_ROW(RESULTS " !preliminary=true", LOG_HOOK, .read = read_result),
	LOG_ROW(RESULTS " preliminary=true", LOG_NOTHING),
	LOG_ROW(
	    "type=finish-step|step-finish", LOG_HOOK, .read = read_step_end),
	LOG_ROW("type=finish", LOG_HOOK, .read = read_end),
	LOG_ROW("type=error", LOG_ERROR, .of = "errorText error"),
	LOG_ROW("type=text-end|reasoning|reasoning-start|reasoning-delta|"
		"reasoning-end|reasoning-signature|redacted-reasoning|source|"
		"source-url|source-document|file|raw|abort|message-metadata|"
		"tool-input-end|tool-approval-request|tool-approval-response",
	    LOG_NOTHING),
	LOG_ROW("type=data-*", LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_vercel_stream = {
	.name = "vercel-stream",
	.what = "Vercel AI SDK: streams to a user interface, and fullStream",
	.sure = "type=start-step|finish-step|step-start|step-finish "
		"!part|sessionID|snapshot, "
		"type=tool-input-start|tool-input-available toolName, "
		"type=text-start|reasoning-start id",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct stream),
	.knows_blocks = true,
};
