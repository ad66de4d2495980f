/*
 * Google's Gemini API, Interactions: interaction objects, requests with them,
 * and streams of events; what early versions call outputs are steps in later
 * ones. An interaction that names a previous one continues its run.
 */
#include "extract/format/log_rows.h"
#include "extract/format/resent_history.h"
#include "extract/value/copy.h"

#define INPUTS "request.input input"
/* Blocks and deltas that carry nothing that a trace has. */
#define SILENT \
	"thought thought_summary thought_signature text_annotation " \
	"annotation user_input model_output image audio video document"

struct interactions {
	struct str id;     /* body: id of the last interaction */
	struct str answer; /* body: id of the call whose result is streamed */
};

/* Terms of which one holds for an interaction or an event of a stream. */
#define OWN \
	"event_type=interaction.*, event_type=step.*|content.* index=?, " \
	"object=interaction"

static bool
is_kind(const struct json *block, const char *end)
{
	return str_ends(json_raw(json_get(block, "type")), str_of(end));
}

static bool
by_model(const struct json *v)
{
	return !field_is(v, "role", "user") &&
	    !field_is_type(v, "user_input") && !is_kind(v, "_result");
}

/* ---- blocks, turns and steps ---- */

/* Reads a call. A tool of the API itself is named by the kind of its call. */
static void
read_call(struct builder *b, const struct json *block)
{
	const struct json *name = json_get(block, "name");
	struct str type = json_raw(json_get(block, "type"));

	type.n -= 5;
	builder_call(b, .id = json_get(block, "id"),
	    .tool = name != NULL ? name : builder_str(b, type),
	    .server = json_get(block, "server_name"),
	    .args = json_get(block, "arguments"));
}

static void
read_result(
    struct builder *b, const struct json *block, const struct json *call)
{
	builder_result(b, .id = call, .tool = json_get(block, "name"),
	    .value = json_get(block, "result"),
	    .is_error = json_get(block, "is_error"));
}

static void
read_block(struct builder *b, const struct json *block, bool by_user)
{
	if (!by_user)
		builder_message_by_order(b);
	if (field_is_type(block, "text") && by_user)
		builder_prompt(b, json_get(block, "text"));
	else if (field_is_type(block, "image audio video document") && by_user)
		/* Perhaps a prompt without words. */
		builder_prompt_body(b, STR(""));
	else if (field_is_type(block, "text"))
		builder_text(b, json_get(block, "text"));
	else if (is_kind(block, "_call"))
		read_call(b, block);
	else if (is_kind(block, "_result"))
		read_result(b, block, json_get(block, "call_id"));
	else if (!field_is_type(block, SILENT))
		builder_unread_part(b, block);
}

/* Reads a turn with a role, a step with content, or a single block. */
static void
read_step(struct builder *b, const struct json *step, bool by_user)
{
	const struct json *content = json_get(step, "content");

	by_user = by_user || field_is(step, "role", "user") ||
	    field_is_type(step, "user_input");
	if (field_is(step, "role", "model") ||
	    field_is_type(step, "model_output"))
		by_user = false;
	if (content == NULL)
		read_block(b, step, by_user);
	else if (field_is_type(step, "thought"))
		return;
	else if (by_user)
		builder_prompt(
		    b, json_is(content, JSON_STRING) ? content : NULL);
	else
		builder_text(b, content);
	for (json_each(block, content))
		read_block(b, block, by_user);
}

/* ---- interactions ---- */

/* Begins an interaction; more: it continues the open run. An interaction in
 * the background is asked for again until it is done, and others may be in
 * between. */
static void
begin(struct log *log, const struct json *interaction, bool more)
{
	struct interactions *s = log->state;
	struct str id = json_raw(json_get(interaction, "id"));
	struct str previous =
	    json_raw(json_get(interaction, "previous_interaction_id"));

	if (id.n == 0 || !str_eq(id, s->id)) {
		s->id = str_dup(log->arena, id);
		s->answer = (struct str){ 0 };
	}
	if (!more && resent_history_follows(log->builder, id))
		return;
	if (!more && !resent_history_follows(log->builder, previous)) {
		builder_begin_run(log->builder);
		builder_set(log->builder, RUN_ID, json_get(interaction, "id"));
	}
	resent_history_answer(log->builder, id);
}

/* Reads the counts. Reasoning tokens are not in the output count, and what
 * tools gave the model to read is not in the input count: both are added. */
static void
read_usage(struct builder *b, const struct json *interaction)
{
	const struct json *counts = json_get(interaction, "usage");
	double thought = json_double(json_get(counts, "total_thought_tokens"));
	double tools = json_double(json_get(counts, "total_tool_use_tokens"));
	struct usage u = { 0 };

	field_usage(&u, counts, .input_and_cache = "total_input_tokens",
	    .output = "total_output_tokens",
	    .cache_read = "total_cached_tokens",
	    .reasoning = "total_thought_tokens");
	if (tools > 0)
		usage_set(&u, USAGE_INPUT, u.n[USAGE_INPUT] + tools);
	if (thought > 0)
		usage_set(&u, USAGE_OUTPUT, u.n[USAGE_OUTPUT] + thought);
	builder_usage(b, json_raw(json_get(interaction, "id")), &u, false);
}

static void
read_end(struct log *log, const struct json *interaction)
{
	struct builder *b = log->builder;
	const struct json *status = json_get(interaction, "status");
	const struct json *error = json_get(interaction, "error");

	builder_model(b, field_find(interaction, "model agent"));
	if (error == NULL &&
	    field_is(interaction, "status", "failed cancelled"))
		error = status;
	builder_error(b, error);
	builder_set_broken(b, field_is(interaction, "status", "in_progress"));
	builder_stop_reason(b, status);
	read_usage(b, interaction);
}

static void
read_whole(struct log *log, const struct json *interaction)
{
	struct builder *b = log->builder;
	size_t *history = resent_history_items(b), n = 0;

	builder_locate(b, .ts = json_get(interaction, "created"),
	    .message = json_get(interaction, "id"));
	for (json_each(step, field_find(interaction, "steps outputs")))
		if (!field_is_type(step, "user_input") && n++ >= *history)
			read_step(b, step, false);
	if (n > *history)
		*history = n;
	read_end(log, interaction);
}

/* ---- streams ---- */

static void
read_start(struct log *log, const struct json *block)
{
	struct interactions *s = log->state;
	struct builder *b = log->builder;
	const struct json *id = json_get(block, "id");

	builder_message_by_order(b);
	if (is_kind(block, "_call") && id != NULL)
		read_call(b, block);
	else if (is_kind(block, "_result"))
		s->answer =
		    copy_body(builder_arena(b), json_get(block, "call_id"));
	else
		builder_end_text(b);
	++*resent_history_items(b);
}

/* Reads a delta. A call may have begun without its arguments; a result begins
 * without its value. */
static void
read_delta(struct log *log, const struct json *delta)
{
	const struct interactions *s = log->state;
	struct builder *b = log->builder;
	const struct json *args = json_get(delta, "arguments");
	const struct json *call = json_get(delta, "call_id");

	if (field_is_type(delta, "text"))
		builder_append_text(b, json_get(delta, "text"));
	else if (field_is_type(delta, "arguments_delta"))
		builder_append_args(b, NULL, args);
	else if (is_kind(delta, "_call") && json_get(delta, "id") != NULL)
		read_call(b, delta);
	else if (is_kind(delta, "_call"))
		builder_set_args(b, NULL, args);
	else if (is_kind(delta, "_result"))
		read_result(
		    b, delta, call != NULL ? call : builder_str(b, s->answer));
	else if (!field_is_type(delta, SILENT))
		builder_unread_part(b, delta);
}

static void
read_created(struct log *log, const struct json *interaction)
{
	begin(log, interaction, false);
	builder_model(log->builder, json_get(interaction, "model"));
	builder_set_broken(log->builder, true); /* until its end is read */
}

static void read_pair(struct log *, const struct json *);

static const struct log_row rows[] = {
	LOG_ROW("event_type=step.delta|content.delta", LOG_HOOK, .of = "delta",
	    .read = read_delta),
	LOG_ROW("event_type=step.start|content.start", LOG_HOOK,
	    .of = "step content", .read = read_start),
	LOG_ROW("event_type=interaction.start|interaction.created", LOG_HOOK,
	    .of = "interaction", .read = read_created),
	LOG_ROW("event_type=interaction.complete|interaction.completed",
	    LOG_LOCATE, .of = "interaction.created"),
	LOG_ROW("event_type=interaction.complete|interaction.completed",
	    LOG_HOOK, .of = "interaction", .read = read_end),
	LOG_ROW("event_type=error", LOG_ERROR, .of = "error"),
	LOG_ROW("event_type=step.stop|content.stop|interaction.status_update|"
		"interaction.in_progress|interaction.requires_action",
	    LOG_NOTHING),
	LOG_ROW("object=interaction, response.object=interaction, "
		"response.0.event_type=interaction.*|step.*|content.*",
	    LOG_HOOK, .read = read_pair),
	LOG_LAST,
};

/* ---- records ---- */

static void
read_input(struct log *log, const struct json *input, size_t history)
{
	struct builder *b = log->builder;

	builder_locate(b, 0);
	if (json_is(input, JSON_STRING))
		builder_prompt(b, input);
	else if (json_is(input, JSON_OBJECT))
		read_step(b, input, true);
	else
		for (json_each(step, input)) {
			builder_locate(b, 0);
			if (history != 0)
				history--;
			else
				read_step(b, step, true);
		}
}

/* Reads an interaction, or a pair of a request with one, where the interaction is an
 * object or a list of events. */
static void
read_pair(struct log *log, const struct json *r)
{
	bool pair = !field_is(r, "object", "interaction");
	const struct json *answer = pair ? json_get(r, "response") : r;
	const struct json *input = pair ? field_find(r, INPUTS) : NULL;
	bool streamed = json_is(answer, JSON_ARRAY);
	const struct json *steps = json_is(input, JSON_ARRAY) ? input : NULL;
	struct resent_history history =
	    resent_history_emitted(log->builder, steps, by_model);

	begin(log,
	    streamed ? json_get(json_at(answer, 0), "interaction") : answer,
	    history.n != 0);
	if (input != NULL) { /* it answers this input, whatever its id is */
		*resent_history_items(log->builder) = 0;
		resent_history_note(log->builder, &history, true);
	}
	read_input(log, input, history.n);
	if (!streamed)
		read_whole(log, answer);
	for (json_each(event, answer))
		if (streamed)
			log_read_by_rows(log, event);
}

const struct log_format log_format_gemini_interactions = {
	.name = "gemini-interactions",
	.what = "Gemini Interactions: objects (also with requests), streams",
	.sure = OWN,
	.nested = "response response.0",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.state = sizeof(struct interactions),
	.knows_blocks = true,
};
