/*
 * Streamed responses of OpenAI's Chat Completions API: one chunk a record,
 * after "data:" or bare. Each response is a run.
 */
#include "extract/api/openai_chunk.h"
#include "extract/format/log_rows.h"

struct response {
	struct str id;              /* body */
	const struct json *message; /* key of the response's message */
	struct openai_chunks chunks;
};

static void
begin(struct log *log, const struct json *id)
{
	struct response *s = log->state;

	/* A chunk that was cut short may lack the id. */
	if (s != NULL && (json_raw(id).n == 0 || str_eq(s->id, json_raw(id))))
		return;
	if (s == NULL)
		log->state = s = arena_new(log->arena, struct response);
	builder_begin_run(log->builder);
	*s = (struct response){ .id = str_dup(builder_arena(log->builder),
				    json_raw(id)) };
	s->message = builder_str(log->builder, builder_usage_key(log->builder));
	builder_set(log->builder, RUN_ID, id);
	builder_set_broken(
	    log->builder, true); /* until the reason of its end is read */
}

static void
read_record(struct log *log, const struct json *r)
{
	struct openai_chunk c = openai_chunk_of(r);
	struct builder *b = log->builder;
	struct response *s;

	if (c.error != NULL && c.error->type != JSON_NULL)
		builder_error(b, c.error);
	if (!openai_chunk_is_response(&c))
		return;
	begin(log, c.id);
	s = log->state;
	builder_locate(b, .ts = c.created);
	builder_message_named(b, s->message);
	if (openai_chunk_read(&s->chunks, b, &c, STR("response")))
		builder_set_broken(b, false);
}

static const struct log_row rows[] = {
	LOG_ROW("choices, object=chat.completion.chunk, error, usage, x_groq",
	    LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_openai_stream = {
	.name = "openai-stream",
	.what = "OpenAI Chat Completions: streamed chunks",
	.sure = "object=chat.completion.chunk, choices.0.delta={",
	.rows = rows,
	.knows_blocks = true,
	.common = true,
};
