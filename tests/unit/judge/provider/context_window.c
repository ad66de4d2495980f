/* lib/judge/provider/context_window: the tokens that models take, by their names. */
#include "judge/provider/context_window.h"

#include "tests/unit/unit.h"

/* The descriptions of models as the servers' types and documentation have them. */
static void
test_said(void)
{
	static const struct {
		const char *reply;
		size_t tokens;
	} rows[] = {
		/* OpenRouter, Together (a bare list), Groq, vLLM, Mistral */
		{ "{\"data\":[{\"id\":\"x\",\"context_length\":1},{\"id\":"
		  "\"m\","
		  "\"context_length\":163840,\"top_provider\":"
		  "{\"context_length\":8192}}]}",
		    163840 },
		{ "[{\"id\":\"x\"},{\"id\":\"m\",\"context_length\":32768}]",
		    32768 },
		{ "{\"data\":[{\"id\":\"m\",\"context_window\":131072},{\"id\":"
		  "\"x\"}]}",
		    131072 },
		{ "{\"data\":[{\"id\":\"m\",\"max_model_len\":4096}]}", 4096 },
		{ "{\"data\":[{\"id\":\"m\",\"max_context_length\":262144}]}",
		    262144 },
		/* llama.cpp: any name is that of its model */
		{ "{\"models\":[],\"data\":[{\"id\":\"/a/b.gguf\",\"meta\":"
		  "{\"n_ctx_train\":131072,\"n_embd\":1}}]}",
		    131072 },
		{ "{\"data\":[{\"id\":\"m\",\"meta\":{\"n_ctx_train\":131072,"
		  "\"n_ctx\":4096}}]}",
		    4096 },
		{ "{\"default_generation_settings\":{\"n_ctx\":4096}}", 4096 },
		/* Anthropic, Gemini, Ollama */
		{ "{\"id\":\"m\",\"max_input_tokens\":200000,\"max_tokens\":"
		  "64000}",
		    200000 },
		{ "{\"id\":\"m\",\"max_input_tokens\":null}", 0 },
		{ "{\"name\":\"models/m\",\"inputTokenLimit\":1048576}",
		    1048576 },
		{ "{\"model_info\":{\"llama.block_count\":1,"
		  "\"llama.context_length\":8192}}",
		    8192 },
		/* nothing, or nothing that can be meant */
		{ "{\"data\":[{\"id\":\"x\",\"context_length\":1},{\"id\":"
		  "\"y\","
		  "\"context_length\":2}]}",
		    0 },
		{ "{\"data\":[{\"id\":\"m\",\"context_length\":-5}]}", 0 },
		{ "{\"data\":[{\"id\":\"m\",\"context_length\":\"9\"}]}", 0 },
		{ "{\"data\":{}}", 0 },
		{ "<html>", 0 },
		{ "[]", 0 },
		{ "null", 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		CHECK(context_window_said(str_of(rows[i].reply), STR("m")) ==
		    rows[i].tokens);
	CHECK(context_window_said((struct str){ 0 }, STR("m")) == 0);
}

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
	test_said();
	return unit_status();
}
