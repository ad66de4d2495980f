/*
 * Transcripts of Google's Antigravity, one step of a conversation a line:
 * {"step_index", "source": "MODEL", "type": "PLANNER_RESPONSE", "status",
 * "created_at", "content", "tool_calls": [{"name", "args"}]}. The result of a
 * call is a later step of source MODEL, whose type is the kind of the call.
 */
#include "extract/format/log_rows.h"

struct steps {
	size_t waiting; /* number of calls without a result */
};

/* Marks what was reported last as cut, if the step says that the log cut this
 * member of it. */
static void
mark_cut(struct builder *b, const struct json *r, const char *name)
{
	for (json_each(field, json_get(r, "truncated_fields")))
		if (json_str_is(field, str_of(name)))
			builder_mark_cut(b);
}

static void
read_prompt(struct log *log, const struct json *r)
{
	builder_prompt_body(log->builder,
	    log_between_marks(json_raw(json_get(r, "content")),
		STR("<USER_REQUEST>"), STR("</USER_REQUEST>")));
	mark_cut(log->builder, r, "content");
}

static void
read_answer(struct log *log, const struct json *r)
{
	struct steps *s = log->state;

	builder_message(log->builder);
	builder_text(log->builder, json_get(r, "content"));
	mark_cut(log->builder, r, "content");
	builder_llm_call(log->builder, (struct str){ 0 });
	for (json_each(call, json_get(r, "tool_calls"))) {
		builder_call(log->builder, .id = json_get(call, "id"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "args"), .decode = true);
		mark_cut(log->builder, r, "tool_calls");
		s->waiting++;
	}
}

/* Reads a step that is a result. The type of the step is no tool name, but it
 * is all that is known of a call that is not in the file. */
static void
read_result(struct log *log, const struct json *r)
{
	struct steps *s = log->state;
	bool failed = field_is(r, "status", "ERROR");
	bool over = failed || field_is(r, "status", "DONE");

	builder_result(log->builder,
	    .tool = s->waiting == 0 ? json_get(r, "type") : NULL,
	    .value = json_get(r, "content"),
	    .is_error = over ? builder_bool(failed) : NULL);
	mark_cut(log->builder, r, "content");
	if (s->waiting != 0)
		s->waiting--;
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_LOCATE, .of = "created_at"),
	LOG_ROW("type=USER_INPUT", LOG_HOOK, .read = read_prompt),
	LOG_ROW("type=PLANNER_RESPONSE", LOG_HOOK, .read = read_answer),
	LOG_ROW("source=MODEL else", LOG_HOOK, .read = read_result),
	LOG_ROW("type=CONVERSATION_HISTORY|CHECKPOINT|EPHEMERAL_MESSAGE|"
		"SYSTEM_MESSAGE|ERROR_MESSAGE !source=MODEL",
	    LOG_NOTHING),
	LOG_LAST,
};

const struct log_format log_format_antigravity = {
	.name = "antigravity",
	.what = "Antigravity: transcripts",
	.sure = "step_index source type",
	.rows = rows,
	.state = sizeof(struct steps),
	.unidentified = UNIDENTIFIED_BY_MESSAGE,
};
