#include "judge/provider/context_window.h"

#include "json/json.h"

/* Beginnings of names; the longest that fits counts. */
static const struct {
	const char *start;
	size_t tokens;
} windows[] = {
	{ "claude-", 200000 },
	{ "claude-fable-", 1000000 },
	{ "claude-mythos-", 1000000 },
	{ "claude-opus-4-6", 1000000 },
	{ "claude-opus-4-7", 1000000 },
	{ "claude-opus-4-8", 1000000 },
	{ "claude-opus-5", 1000000 },
	{ "claude-sonnet-4-6", 1000000 },
	{ "claude-sonnet-5", 1000000 },
	{ "deepseek-chat", 128000 },
	{ "deepseek-reasoner", 128000 },
	{ "gemini-1.5-", 1048576 },
	{ "gemini-2.", 1048576 },
	{ "gemini-3", 1048576 },
	{ "gemini-flash-", 1048576 },
	{ "gpt-3.5-turbo", 16385 },
	{ "gpt-4", 8192 },
	{ "gpt-4-turbo", 128000 },
	{ "gpt-4.1", 1047576 },
	{ "gpt-4o", 128000 },
	{ "gpt-5", 272000 },
	{ "gpt-5-chat", 128000 },
	{ "gpt-5.1-chat", 128000 },
	{ "gpt-5.2-chat", 128000 },
	{ "gpt-5.3-chat", 128000 },
	{ "gpt-5.3-codex-spark", 100000 },
	{ "gpt-5.4", 922000 },
	{ "gpt-5.4-mini", 272000 },
	{ "gpt-5.4-nano", 272000 },
	{ "gpt-5.5", 922000 },
	{ "gpt-5.5-instant", 272000 },
	{ "grok-3", 131072 },
	{ "grok-4", 256000 },
	{ "grok-4.", 1000000 },
	{ "mistral-large-", 128000 },
	{ "mistral-medium-", 128000 },
	{ "mistral-small-", 128000 },
	{ "o1", 200000 },
	{ "o1-mini", 128000 },
	{ "o3", 200000 },
	{ "o4-mini", 200000 },
};

/* Returns the name without the folders before it and without the hosts before
 * its maker: "us.anthropic.claude-x" is "claude-x". */
static struct str
bare_name(struct str model)
{
	struct str maker = STR("anthropic.");
	size_t at;

	while ((at = str_find_char(model, '/')) < model.n)
		model = str_from(model, at + 1);
	at = str_find(model, maker);
	return at < model.n ? str_from(model, at + maker.n) : model;
}

size_t
context_window_of(struct str model)
{
	struct str name = bare_name(model);
	size_t tokens = 0, longest = 0;

	for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
		struct str start = str_of(windows[i].start);

		if (start.n > longest && str_starts(name, start)) {
			longest = start.n;
			tokens = windows[i].tokens;
		}
	}
	return tokens;
}

/* ---- what servers say ---- */

/* Returns the value of the first member of this name, or whose name ends with it,
 * in the value and all values in it; 0: none is a number. */
static size_t
number_at(const struct json *said, struct str name, struct arena *a)
{
	int64_t n;

	for (const struct json *v = said; v < said + said->span; v++)
		for (json_members(key, v)) {
			struct str is = json_text(key, a);
			bool fits = *name.s == '.' ? str_ends(is, name)
						   : str_eq(is, name);

			if (fits && json_int(json_value(key), &n) && n > 0)
				return (size_t)n;
		}
	return 0;
}

/* Returns the model of this name in a list of models; the only one, whatever its
 * name is; or NULL. */
static const struct json *
model_in(const struct json *list, struct str model)
{
	static const char *const names[] = { "id", "name", "model" };

	for (json_each(element, list))
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
			if (json_str_is(
				json_get(element, str_of(names[i])), model))
				return element;
	return json_count(list) == 1 ? json_at(list, 0) : NULL;
}

/* Returns the part of the reply that is about the model, or NULL. */
static const struct json *
about(const struct json *reply, struct str model)
{
	const struct json *list = json_get(reply, "data");

	if (json_is(reply, JSON_ARRAY))
		list = reply;
	return list == NULL ? reply : model_in(list, model);
}

size_t
context_window_said(struct str reply, struct str model)
{
	/* The context that a server runs with comes before the one that a
	 * model was made for. */
	static const char *const names[] = { "n_ctx", "loaded_context_length",
		"max_model_len", "context_length", "context_window",
		"max_input_tokens", "inputTokenLimit", "max_context_length",
		".context_length", "n_ctx_train" };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct arena a = { 0 };
	const struct json *said =
	    about(json_read(&reader, reply, NULL, &error), model);
	size_t tokens = 0;

	for (size_t i = 0;
	     said != NULL && tokens == 0 && i < sizeof names / sizeof names[0];
	     i++)
		tokens = number_at(said, str_of(names[i]), &a);
	json_reader_free(&reader);
	arena_free(&a);
	return tokens;
}
