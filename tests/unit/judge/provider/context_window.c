/* lib/judge/provider/context_window: the tokens that models take, by their names. */
#include "judge/provider/context_window.h"

#include "tests/unit/unit.h"

int
main(void)
{
	static const struct {
		const char *name;
		size_t tokens;
	} rows[] = {
		{ "claude-haiku-4-5", 200000 },
		{ "claude-opus-4-5-20251101", 200000 },
		{ "claude-opus-4-6", 1000000 },
		{ "us.anthropic.claude-sonnet-4-6-v1:0", 1000000 },
		{ "anthropic/claude-3-haiku", 200000 },
		{ "gpt-5-mini", 272000 },
		{ "gpt-5.4-2026-03-05", 922000 },
		{ "gpt-5.4-mini", 272000 },
		{ "gpt-4", 8192 },
		{ "gpt-4o-mini", 128000 },
		{ "models/gemini-2.5-flash", 1048576 },
		{ "my-claude-", 0 },
		{ "llama3", 0 },
		{ "", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		CHECK(
		    context_window_of(str_of(rows[i].name)) == rows[i].tokens);
	CHECK(context_window_of((struct str){ 0 }) == 0);
	return unit_status();
}
