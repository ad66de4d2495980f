/*
 * Transcripts of Google's Antigravity, a step of a conversation a line:
 * {"step_index", "source": "MODEL", "type": "PLANNER_RESPONSE", "status",
 * "created_at", "content", "tool_calls": [{"name", "args"}]}. What came of a
 * call is a later step of the model's, whose type is the kind of the call.
 */
#include "../logfmt.h"
#include "marked.h"

static int
score(const struct json *r)
{
	return json_get(r, STR("step_index")) != NULL &&
		json_get(r, STR("source")) != NULL &&
		json_get(r, STR("type")) != NULL
	    ? LOGFMT_SURE
	    : 0;
}

struct steps {
	size_t waiting; /* calls without a result */
};

static void
read_answer(struct log *log, const struct json *r)
{
	struct steps *s = log->state;

	builder_text(log->builder, json_get(r, STR("content")));
	builder_answered(log->builder, (struct str){ 0 });
	for (json_each(call, json_get(r, STR("tool_calls")))) {
		builder_call(log->builder,
		    &(struct builder_call){
			.id = json_get(call, STR("id")),
			.tool = json_get(call, STR("name")),
			.args = json_get(call, STR("args")),
			.decode = true,
		    });
		s->waiting++;
	}
}

/* The kind of a step is no tool's name, but all that is known of a call that
 * is not in the file. */
static void
read_result(struct log *log, const struct json *r)
{
	struct steps *s = log->state;
	const struct json *status = json_get(r, STR("status"));

	builder_result(log->builder,
	    &(struct builder_result){
		.tool = s->waiting == 0 ? json_get(r, STR("type")) : NULL,
		.value = json_get(r, STR("content")),
		.is_error = json_str_is(status, STR("ERROR")) ||
			json_str_is(status, STR("DONE"))
		    ? builder_bool(json_str_is(status, STR("ERROR")))
		    : NULL,
	    });
	if (s->waiting != 0)
		s->waiting--;
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *type = json_get(r, STR("type"));
	const struct json *content = json_get(r, STR("content"));

	if (log->state == NULL)
		log->state = arena_new(log->arena, struct steps);
	builder_at(
	    b, &(struct builder_at){ .ts = json_get(r, STR("created_at")) });
	if (json_str_is(type, STR("USER_INPUT"))) {
		builder_prompt_body(b,
		    marked(json_raw(content), STR("<USER_REQUEST>"),
			STR("</USER_REQUEST>")));
	} else if (json_str_is(type, STR("PLANNER_RESPONSE"))) {
		read_answer(log, r);
	} else if (log_is(r, "source", "MODEL")) {
		read_result(log, r);
	} else {
		return;
	}
	for (json_each(field, json_get(r, STR("truncated_fields"))))
		if (json_str_is(field, STR("content")))
			builder_cut(b);
}

const struct logfmt logfmt_antigravity = {
	.name = "antigravity",
	.what = "Antigravity: transcripts of conversations",
	.score = score,
	.read = read_record,
};
