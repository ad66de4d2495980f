#include "judge/provider/provider.h"

#include <string.h>

const struct provider *const provider_table[] = {
	&provider_openai,
	&provider_openai_responses,
	&provider_azure,
	&provider_anthropic,
	&provider_gemini,
	&provider_vertex,
	&provider_ollama,
	&provider_openrouter,
	&provider_bedrock,
	&provider_presets[PRESET_MISTRAL],
	&provider_presets[PRESET_GROQ],
	&provider_presets[PRESET_XAI],
	&provider_presets[PRESET_DEEPSEEK],
	&provider_presets[PRESET_TOGETHER],
	&provider_presets[PRESET_FIREWORKS],
	&provider_exec,
	NULL,
};

const char *
provider_row(size_t i, const char **what)
{
	const struct provider *row = provider_table[i];

	if (row == NULL)
		return NULL;
	*what = row->what;
	return row->name;
}

const struct provider *
provider_named(const char *name)
{
	for (const struct provider *const *p = provider_table; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}
