#include "extract/api/openai_chunk.h"

#include "extract/api/openai_message.h"
#include "extract/value/fields.h"

/* Members of a delta. */
enum {
	CONTENT,
	REFUSAL,
	AUDIO,
	TOOL_CALLS,
	FUNCTION_CALL,
	EXECUTED_TOOLS,
	MEMBERS
};

static const struct str members[MEMBERS] = {
	[CONTENT] = STR_CONST("content"),
	[REFUSAL] = STR_CONST("refusal"),
	[AUDIO] = STR_CONST("audio"),
	[TOOL_CALLS] = STR_CONST("tool_calls"),
	[FUNCTION_CALL] = STR_CONST("function_call"),
	[EXECUTED_TOOLS] = STR_CONST("executed_tools"),
};

static bool
is_chunk(const struct json *r)
{
	const struct json *choice = json_at(json_get(r, "choices"), 0);

	return json_str_is(json_get(r, "object"), "chat.completion.chunk") ||
	    json_is(json_get(choice, "delta"), JSON_OBJECT);
}

/* Groq's counts are in a member of their own. */
struct openai_chunk
openai_chunk_of(const struct json *r)
{
	enum { ID, CREATED, MODEL, CHOICES, USAGE, GROQ, ERROR, N };
	static const struct str names[N] = {
		[ID] = STR_CONST("id"),
		[CREATED] = STR_CONST("created"),
		[MODEL] = STR_CONST("model"),
		[CHOICES] = STR_CONST("choices"),
		[USAGE] = STR_CONST("usage"),
		[GROQ] = STR_CONST("x_groq"),
		[ERROR] = STR_CONST("error"),
	};
	const struct json *m[N], *counts;

	json_pick(r, names, N, m);
	counts = json_is(m[USAGE], JSON_OBJECT) ? m[USAGE]
						: json_get(m[GROQ], "usage");
	return (struct openai_chunk){
		.id = m[ID],
		.created = m[CREATED],
		.model = m[MODEL],
		.choices = m[CHOICES],
		.counts = json_is(counts, JSON_OBJECT) ? counts : NULL,
		.error = m[ERROR],
	};
}

bool
openai_chunk_is_response(const struct openai_chunk *c)
{
	return c->counts != NULL || json_count(c->choices) != 0;
}

/* Returns the entry of a fragment's call; a fragment without an index belongs
 * to the last call. */
static struct str *
place_of(struct openai_chunks *s, const struct json *call)
{
	int64_t index;
	size_t n = 0;

	if (json_int(json_get(call, "index"), &index) && index >= 0 &&
	    index < OPENAI_CALLS_MAX)
		return &s->calls[index];
	while (n + 1 < OPENAI_CALLS_MAX && s->calls[n].s != NULL)
		n++;
	if (json_raw(json_get(call, "id")).n == 0 && n != 0 &&
	    json_path(call, "function.name") == NULL)
		n--;
	return &s->calls[n];
}

/* Only the first fragment of a call names the tool; some servers repeat the id
 * in each fragment. */
static void
read_call(struct openai_chunks *s, struct builder *b, const struct json *call)
{
	const struct json *id = json_get(call, "id");
	const struct json *name = field_find(call, "function.name custom.name");
	const struct json *args =
	    field_find(call, "function.arguments custom.input");
	struct str *place = place_of(s, call);

	if (json_raw(id).n != 0 && !str_eq(*place, json_raw(id)) &&
	    !builder_has_call(b, id))
		*place = (struct str){ 0 };
	if (place->s == NULL && json_raw(name).n != 0) {
		*place = json_raw(id).n == 0
		    ? STR("")
		    : str_dup(builder_arena(b), json_raw(id));
		builder_call(b, .id = id, .tool = name,
		    .args = json_is(args, JSON_STRING) ? NULL : args);
	}
	builder_append_args(
	    b, place->n != 0 ? builder_str(b, *place) : NULL, args);
}

/* Reads the older form of calls: a single call without an id. */
static void
read_function(struct builder *b, const struct json *function)
{
	const struct json *name = json_get(function, "name");

	if (json_raw(name).n != 0)
		builder_call(b, .tool = name);
	builder_append_args(b, NULL, json_get(function, "arguments"));
}

/* Mistral's content is a list whenever the model thinks. */
static void
read_delta(struct openai_chunks *s, struct builder *b, const struct json *delta)
{
	const struct json *m[MEMBERS];

	json_pick(delta, members, MEMBERS, m);
	builder_unread_members(b, delta);
	builder_append_text(b, m[CONTENT]);
	for (json_each(part, m[CONTENT])) {
		builder_append_text(b, json_get(part, "text"));
		if (json_get(part, "text") == NULL)
			builder_unread_part(b, part);
	}
	builder_append_text(b, m[REFUSAL]);
	builder_append_text(b, json_get(m[AUDIO], "transcript"));
	for (json_each(call, m[TOOL_CALLS]))
		read_call(s, b, call);
	if (json_is(m[FUNCTION_CALL], JSON_OBJECT))
		read_function(b, m[FUNCTION_CALL]);
	/* Groq repeats a call that the server made when its output is there. */
	for (json_each(call, m[EXECUTED_TOOLS]))
		if (field_find(call, "output") != NULL)
			openai_executed_read(b, call);
}

/* Returns the choice with index 0 or without an index; other choices are
 * alternative answers. */
static const struct json *
choice_of(const struct openai_chunk *c)
{
	int64_t index;

	for (json_each(choice, c->choices))
		if (!json_int(json_get(choice, "index"), &index) || index == 0)
			return choice;
	return NULL;
}

/* Each count covers the whole response so far; Moonshot's count is in the
 * choice. */
bool
openai_chunk_read(struct openai_chunks *s, struct builder *b,
    const struct openai_chunk *c, struct str key)
{
	const struct json *choice = choice_of(c);
	const struct json *reason = json_get(choice, "finish_reason");
	struct usage u = { 0 };

	builder_model(b, c->model);
	read_delta(s, b, json_get(choice, "delta"));
	builder_stop_reason(b, reason);
	openai_usage_read(
	    &u, c->counts != NULL ? c->counts : json_get(choice, "usage"));
	builder_usage(b, key, &u, false);
	return json_is(reason, JSON_STRING);
}

bool
openai_chunks_are(const struct json *list)
{
	if (json_is(list, JSON_ARRAY))
		for (json_each(chunk, list))
			if (is_chunk(chunk))
				return true;
	return false;
}

void
openai_chunks_read(struct builder *b, const struct json *list)
{
	struct str key = builder_usage_key(b);
	const struct json *message = builder_str(b, key);
	struct openai_chunks s = { 0 };
	bool ended = false;

	for (json_each(chunk, list)) {
		struct openai_chunk c = openai_chunk_of(chunk);

		if (json_raw(c.id).n != 0)
			key = json_raw(c.id);
		if (c.error != NULL)
			builder_error(b, c.error);
		if (!openai_chunk_is_response(&c))
			continue;
		builder_locate(b, .ts = c.created);
		builder_message_named(b, message);
		ended = openai_chunk_read(&s, b, &c, key) || ended;
	}
	builder_set_broken(b, !ended);
}
