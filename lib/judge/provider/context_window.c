#include "judge/provider/context_window.h"

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
