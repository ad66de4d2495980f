#include "openai_chunk.h"

#include "log.h"
#include "openai_message.h"

bool
openai_chunk_is(const struct json *r)
{
	const struct json *choice = json_at(json_get(r, STR("choices")), 0);

	return json_str_is(
		   json_get(r, STR("object")), STR("chat.completion.chunk")) ||
	    json_is(json_get(choice, STR("delta")), JSON_OBJECT);
}

/* Groq's has a place of its own, Moonshot's stands with the answer. */
static const struct json *
counts_of(const struct json *r, const struct json *choice)
{
	const struct json *found[] = { json_get(r, STR("usage")),
		json_path(r, "x_groq.usage"), json_get(choice, STR("usage")) };

	for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
		if (json_is(found[i], JSON_OBJECT))
			return found[i];
	return NULL;
}

bool
openai_chunk_says(const struct json *r)
{
	return json_count(json_get(r, STR("choices"))) != 0 ||
	    counts_of(r, NULL) != NULL;
}

/* The place of a fragment's call; without an index, that of the last one. */
static struct str *
place_of(struct openai_chunks *s, const struct json *call)
{
	int64_t index;
	size_t n = 0;

	if (json_int(json_get(call, STR("index")), &index) && index >= 0 &&
	    index < OPENAI_CALLS_MAX)
		return &s->calls[index];
	while (n + 1 < OPENAI_CALLS_MAX && s->calls[n].s != NULL)
		n++;
	if (json_raw(json_get(call, STR("id"))).n == 0 && n != 0 &&
	    json_path(call, "function.name") == NULL)
		n--;
	return &s->calls[n];
}

/* Only the first fragment names the tool; some repeat the id in each. */
static void
read_call(struct openai_chunks *s, struct builder *b, const struct json *call)
{
	const struct json *id = json_get(call, STR("id"));
	const struct json *name = log_find(call, "function.name custom.name");
	const struct json *args =
	    log_find(call, "function.arguments custom.input");
	struct str *place = place_of(s, call);

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

/* Mistral's content is a list as soon as the model thinks. */
static void
read_text(struct builder *b, const struct json *delta)
{
	const struct json *content = json_get(delta, STR("content"));

	builder_text_more(b, content);
	for (json_each(part, content))
		builder_text_more(b, json_get(part, STR("text")));
	builder_text_more(b, json_get(delta, STR("refusal")));
	builder_text_more(b, json_path(delta, "audio.transcript"));
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

/* Each count is of all so far. */
bool
openai_chunk_read(struct openai_chunks *s, struct builder *b,
    const struct json *r, struct str key)
{
	const struct json *choice = choice_of(r);
	const struct json *delta = json_get(choice, STR("delta"));
	const struct json *reason = json_get(choice, STR("finish_reason"));
	struct usage u = { 0 };

	builder_model(b, json_get(r, STR("model")));
	read_text(b, delta);
	for (json_each(call, json_get(delta, STR("tool_calls"))))
		read_call(s, b, call);
	if (json_is(json_get(delta, STR("function_call")), JSON_OBJECT))
		read_function(b, json_get(delta, STR("function_call")));
	builder_stopped(b, reason);
	openai_usage_read(&u, counts_of(r, choice));
	builder_usage(b, key, &u, false);
	return json_is(reason, JSON_STRING);
}

bool
openai_chunks_are(const struct json *list)
{
	if (json_is(list, JSON_ARRAY))
		for (json_each(chunk, list))
			if (openai_chunk_is(chunk))
				return true;
	return false;
}

void
openai_chunks_read(struct builder *b, const struct json *list)
{
	struct openai_chunks s = { 0 };
	struct str key = STR("response");
	bool ended = false;

	for (json_each(chunk, list)) {
		const struct json *error = json_get(chunk, STR("error"));

		if (json_raw(json_get(chunk, STR("id"))).n != 0)
			key = json_raw(json_get(chunk, STR("id")));
		if (error != NULL)
			builder_error(b, error);
		if (!openai_chunk_says(chunk))
			continue;
		builder_at(b,
		    &(struct builder_at){
			.ts = json_get(chunk, STR("created")) });
		ended = openai_chunk_read(&s, b, chunk, key) || ended;
	}
	builder_broken(b, !ended);
}
