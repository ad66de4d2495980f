/*
 * Streams of the Vercel AI SDK: those that it sends to a user interface, and
 * those of a run for its program (fullStream), one chunk a record. Each stream
 * is a run.
 */
#include "base/hash.h"
#include "extract/format/log_format.h"
#include "extract/format/vercel_ai.h"
#include "extract/value/copy.h"

struct stream {
	bool open;    /* the run's begin was read, but not its end */
	bool counted; /* the steps have counts */
	/* Ids of calls whose arguments come in pieces, until they are whole. */
	struct hash_table started;
};

static int
score(const struct json *r)
{
	if (field_is_type(r, "start-step finish-step step-start step-finish") &&
	    json_get(r, "part") == NULL)
		return LOG_FORMAT_SURE;
	if (field_is_type(r, "tool-input-start tool-input-available"))
		return json_get(r, "toolName") != NULL ? LOG_FORMAT_SURE : 0;
	return field_is_type(r, "text-start reasoning-start") &&
		json_get(r, "id") != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

static void
begin(struct log *log, const struct json *r)
{
	struct stream *s = log->state;

	builder_begin_run(log->builder);
	*s = (struct stream){
		.open = true,
		.started.arena = &log->builder->run_arena,
	};
	builder_set(log->builder, RUN_ID, json_get(r, "messageId"));
	builder_set_broken(log->builder, true); /* until its end is read */
}

/* Reads the end of a step. Chunks for a user interface have no counts. */
static void
read_step_end(struct stream *s, struct builder *b, const struct json *r)
{
	if (json_get(r, "usage") != NULL)
		s->counted = true;
	builder_locate(b, .ts = field_find(r, "response.timestamp"));
	vercel_step_end_read(b, r);
}

static void
read_end(struct stream *s, struct builder *b, const struct json *r)
{
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

/* Reads the begin of a call whose arguments come in pieces. They may never be
 * logged as a whole. */
static void
begin_call(struct stream *s, struct builder *b, const struct json *r)
{
	const struct json *id = field_find(r, "toolCallId id");

	builder_call(b, .id = id, .tool = json_get(r, "toolName"));
	s->started.arena = &b->run_arena;
	*hash_put(&s->started, copy_body(&b->run_arena, id)) = s;
}

/* Reads a whole call, which may have begun before. */
static void
read_call(struct stream *s, struct builder *b, const struct json *r)
{
	const struct json *id = json_get(r, "toolCallId");
	const struct json *args = vercel_args(r);

	if (hash_get(&s->started, json_raw(id)) == NULL) {
		vercel_call(b, r, json_get(r, "toolName"));
		return;
	}
	*hash_put(&s->started, copy_body(&b->run_arena, id)) = NULL;
	builder_set_args(b, id, args);
	builder_append_args(b, id, args); /* text that holds JSON */
}

static void
read_tool(struct stream *s, struct builder *b, const struct json *r)
{
	const struct json *tool = json_get(r, "toolName");

	if (field_is_type(r, "tool-input-start"))
		begin_call(s, b, r);
	else if (field_is_type(r, "tool-input-delta"))
		builder_append_args(b, field_find(r, "toolCallId id"),
		    field_find(r, "inputTextDelta delta"));
	if (field_is_type(r, "tool-call tool-input-available tool-input-error"))
		read_call(s, b, r);
	/* A preliminary result is shown until the final one comes. */
	if (field_is_type(r,
		"tool-result tool-error tool-output-available "
		"tool-output-error tool-output-denied tool-input-error") &&
	    !json_is(json_get(r, "preliminary"), JSON_TRUE))
		vercel_result(b, r, tool);
}

static void
read_text(struct builder *b, const struct json *r)
{
	if (field_is_type(r, "text-start"))
		builder_end_text(b);
	else
		builder_append_text(b, field_find(r, "delta text textDelta"));
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	struct stream *s;

	if (log->state == NULL)
		log->state = arena_new(log->arena, struct stream);
	s = log->state;
	if (field_is_type(r, "start") ||
	    (!s->open && field_is_type(r, "start-step step-start")))
		begin(log, r);
	if (field_is_type(r, "start-step step-start"))
		builder_locate(b, 0);
	else if (field_is_type(r, "text-start text-delta"))
		read_text(b, r);
	else if (field_is_type(r, "finish-step step-finish"))
		read_step_end(s, b, r);
	else if (field_is_type(r, "finish"))
		read_end(s, b, r);
	else if (field_is_type(r, "error"))
		builder_error(b, field_find(r, "errorText error"));
	else
		read_tool(s, b, r);
}

const struct log_format log_format_vercel_stream = {
	.name = "vercel-stream",
	.what = "Vercel AI SDK: streams to a user interface, and fullStream",
	.score = score,
	.signs = "type=start-step type=finish-step type=step-start "
		 "type=step-finish type=tool-input-start "
		 "type=tool-input-available type=text-start "
		 "type=reasoning-start",
	.unflagged = UNFLAGGED_OK,
	.read = read_record,
};
