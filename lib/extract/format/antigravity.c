/*
 * Transcripts of Google's Antigravity, one step of a conversation a line:
 * {"step_index", "source": "MODEL", "type": "PLANNER_RESPONSE", "status",
 * "created_at", "content", "tool_calls": [{"name", "args"}]}. The result of a
 * call is a later step of source MODEL, whose type is the kind of the call.
 */
#include "extract/format/log_format.h"

/* Members of a step, in the order in which they are written. */
enum {
	INDEX,
	SOURCE,
	TYPE,
	STATUS,
	CREATED,
	CONTENT,
	CALLS,
	TRUNCATED,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[INDEX] = STR_CONST("step_index"),
	[SOURCE] = STR_CONST("source"),
	[TYPE] = STR_CONST("type"),
	[STATUS] = STR_CONST("status"),
	[CREATED] = STR_CONST("created_at"),
	[CONTENT] = STR_CONST("content"),
	[CALLS] = STR_CONST("tool_calls"),
	[TRUNCATED] = STR_CONST("truncated_fields"),
};

static int
score(const struct json *r)
{
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	return m[INDEX] != NULL && m[SOURCE] != NULL && m[TYPE] != NULL
	    ? LOG_FORMAT_SURE
	    : 0;
}

struct steps {
	size_t waiting; /* number of calls without a result */
};

/* Returns whether the step says that the log cut this member of it. */
static bool
is_cut(const struct json *const *m, const char *name)
{
	for (json_each(field, m[TRUNCATED]))
		if (json_str_is(field, str_of(name)))
			return true;
	return false;
}

static void
read_answer(struct log *log, const struct json *const *m)
{
	struct steps *s = log->state;
	bool cut = is_cut(m, "tool_calls");

	builder_text(log->builder, m[CONTENT]);
	if (is_cut(m, "content"))
		builder_mark_cut(log->builder);
	builder_llm_call(log->builder, (struct str){ 0 });
	for (json_each(call, m[CALLS])) {
		builder_call(log->builder, .id = json_get(call, "id"),
		    .tool = json_get(call, "name"),
		    .args = json_get(call, "args"), .decode = true);
		if (cut)
			builder_mark_cut(log->builder);
		s->waiting++;
	}
}

/* Reads a step that is a result. The type of the step is no tool name, but it
 * is all that is known of a call that is not in the file. */
static void
read_result(struct log *log, const struct json *const *m)
{
	struct steps *s = log->state;
	bool failed = json_str_is(m[STATUS], "ERROR");
	bool over = failed || json_str_is(m[STATUS], "DONE");

	builder_result(log->builder, .tool = s->waiting == 0 ? m[TYPE] : NULL,
	    .value = m[CONTENT],
	    .is_error = over ? builder_bool(failed) : NULL);
	if (is_cut(m, "content"))
		builder_mark_cut(log->builder);
	if (s->waiting != 0)
		s->waiting--;
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *m[MEMBERS];

	json_pick(r, members, MEMBERS, m);
	if (log->state == NULL)
		log->state = arena_new(log->arena, struct steps);
	builder_locate(b, .ts = m[CREATED]);
	if (json_str_is(m[TYPE], "USER_INPUT")) {
		builder_prompt_body(b,
		    log_between_marks(json_raw(m[CONTENT]),
			STR("<USER_REQUEST>"), STR("</USER_REQUEST>")));
		if (is_cut(m, "content"))
			builder_mark_cut(b);
	} else if (json_str_is(m[TYPE], "PLANNER_RESPONSE")) {
		read_answer(log, m);
	} else if (json_str_is(m[SOURCE], "MODEL")) {
		read_result(log, m);
	}
}

const struct log_format log_format_antigravity = {
	.name = "antigravity",
	.what = "Antigravity: transcripts",
	.score = score,
	.signs = "step_index",
	.read = read_record,
};
