/*
 * Responses of OpenAI's Chat Completions as they were streamed: a chunk each
 * record, behind "data:" or bare. A run for each response.
 */
#include "../logfmt.h"
#include "../openai_message.h"

enum { CALLS_MAX = 128 }; /* of one response */

struct response {
	struct str id;               /* body */
	struct str calls[CALLS_MAX]; /* bodies: their ids, by index */
};

static int
score(const struct json *r)
{
	const struct json *choice = json_at(json_get(r, STR("choices")), 0);

	return json_str_is(
		   json_get(r, STR("object")), STR("chat.completion.chunk")) ||
		json_is(json_get(choice, STR("delta")), JSON_OBJECT)
	    ? LOGFMT_SURE
	    : 0;
}

/* The place of a fragment's call; without an index, that of the last one. */
static struct str *
place_of(struct response *s, const struct json *call)
{
	int64_t index;
	size_t n = 0;

	if (json_int(json_get(call, STR("index")), &index) && index >= 0 &&
	    index < CALLS_MAX)
		return &s->calls[index];
	while (n + 1 < CALLS_MAX && s->calls[n].s != NULL)
		n++;
	if (json_raw(json_get(call, STR("id"))).n == 0 && n != 0 &&
	    json_path(call, "function.name") == NULL)
		n--;
	return &s->calls[n];
}

/* Only the first fragment names the tool; some repeat the id in each. */
static void
read_call(struct log *log, const struct json *call)
{
	const struct json *id = json_get(call, STR("id"));
	const struct json *name = json_path(call, "function.name");
	const struct json *args = json_path(call, "function.arguments");
	struct str *place = place_of(log->state, call);
	struct builder *b = log->builder;

	if (json_raw(id).n != 0 && !str_eq(*place, json_raw(id)) &&
	    !builder_has_call(b, id))
		*place = (struct str){ 0 };
	if (place->s == NULL && json_raw(name).n != 0) {
		*place = json_raw(id).n == 0
		    ? STR("")
		    : str_dup(&b->run_arena, json_raw(id));
		builder_call(b,
		    &(struct builder_call){
			.id = id,
			.tool = name,
			.args = json_is(args, JSON_STRING) ? NULL : args,
		    });
	}
	builder_args_more(
	    b, place->n != 0 ? builder_str(b, *place) : NULL, args);
}

/* The older form: one call, without an id. */
static void
read_function(struct builder *b, const struct json *function)
{
	const struct json *name = json_get(function, STR("name"));

	if (json_raw(name).n != 0)
		builder_call(b, &(struct builder_call){ .tool = name });
	builder_args_more(b, NULL, json_get(function, STR("arguments")));
}

static void
read_delta(struct log *log, const struct json *delta)
{
	struct builder *b = log->builder;

	builder_text_more(b, json_get(delta, STR("content")));
	builder_text_more(b, json_get(delta, STR("refusal")));
	for (json_each(call, json_get(delta, STR("tool_calls"))))
		read_call(log, call);
	if (json_is(json_get(delta, STR("function_call")), JSON_OBJECT))
		read_function(b, json_get(delta, STR("function_call")));
}

/* Of several answers that come side by side the one that is numbered 0, or not
 * at all. */
static const struct json *
choice_of(const struct json *r)
{
	int64_t index;

	for (json_each(choice, json_get(r, STR("choices"))))
		if (!json_int(json_get(choice, STR("index")), &index) ||
		    index == 0)
			return choice;
	return NULL;
}

/* What is said before a response, of the filters that the prompt went through,
 * has neither an id nor anything of the answer. */
static bool
is_empty(const struct json *r)
{
	return json_count(json_get(r, STR("choices"))) == 0 &&
	    log_find(r, "usage") == NULL;
}

static void
begin(struct log *log, const struct json *id)
{
	struct response *s = log->state;

	/* Of a chunk that was cut short the id may be missing. */
	if (s != NULL && (json_raw(id).n == 0 || str_eq(s->id, json_raw(id))))
		return;
	if (s == NULL)
		log->state = s = arena_new(log->arena, struct response);
	builder_run(log->builder);
	*s = (struct response){ .id = str_dup(
				    &log->builder->run_arena, json_raw(id)) };
	builder_set(log->builder, RUN_ID, id);
	builder_broken(log->builder, true); /* until the reason of its end */
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *first = choice_of(r);
	struct usage u = { 0 };

	if (log_find(r, "error") != NULL)
		builder_error(b, log_find(r, "error"));
	if (is_empty(r))
		return;
	begin(log, json_get(r, STR("id")));
	builder_at(
	    b, &(struct builder_at){ .ts = json_get(r, STR("created")) });
	builder_model(b, json_get(r, STR("model")));
	read_delta(log, json_get(first, STR("delta")));
	if (json_is(json_get(first, STR("finish_reason")), JSON_STRING))
		builder_broken(b, false);
	openai_usage_read(&u, json_get(r, STR("usage")));
	builder_usage(b, STR("response"), &u, false);
}

const struct logfmt logfmt_openai_stream = {
	.name = "openai-stream",
	.what = "OpenAI Chat Completions as they were streamed, in chunks",
	.score = score,
	.read = read_record,
};
