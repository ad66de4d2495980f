#include "judge/provider/model_name.h"

#include "base/ascii.h"

/* Names of providers in other tools that are not names of ours. */
static const struct {
	const char *name;
	const struct provider *provider;
} aliases[] = {
	{ "google", &provider_gemini },
	{ "vertex_ai", &provider_vertex },
};

/* The names of APIs that promptfoo writes after the provider and a colon. */
static const struct {
	const struct provider *provider;
	const char *api;
	const struct provider *means;
} apis[] = {
	{ &provider_openai, "chat:", &provider_openai },
	{ &provider_openai, "responses:", &provider_openai_responses },
	{ &provider_azure, "chat:", &provider_azure },
	{ &provider_anthropic, "messages:", &provider_anthropic },
	{ &provider_ollama, "chat:", &provider_ollama },
};

/* Beginnings of the names of models that only one company offers. */
static const struct {
	const char *start;
	const struct provider *provider;
} families[] = {
	{ "claude-", &provider_anthropic },
	{ "gemini-", &provider_gemini },
	{ "gpt-oss", NULL }, /* open weights, which OpenAI does not offer */
	{ "gpt-", &provider_openai },
	{ "chatgpt-", &provider_openai },
	{ "ft:gpt-", &provider_openai }, /* fine-tuned */
	{ "grok-", &provider_presets[PRESET_XAI] },
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Returns the provider of this name, or NULL if there is none. A program is not
 * named by a model. */
static const struct provider *
provider_of(struct str name)
{
	for (const struct provider *const *p = provider_table; *p; p++)
		if ((*p)->url != NULL && str_is(name, (*p)->name))
			return *p;
	for (size_t i = 0; i < COUNT(aliases); i++)
		if (str_is(name, aliases[i].name))
			return aliases[i].provider;
	return NULL;
}

static const struct provider *
family_of(struct str name)
{
	for (size_t i = 0; i < COUNT(families); i++)
		if (str_starts(name, str_of(families[i].start)))
			return families[i].provider;
	/* o1, o3-mini, ... */
	return name.n > 1 && name.s[0] == 'o' && ascii_is_digit(name.s[1])
	    ? &provider_openai
	    : NULL;
}

/* Removes the name of an API from the model, and sets the provider that has
 * this API. */
static void
skip_api(struct model_name *m)
{
	for (size_t i = 0; i < COUNT(apis); i++) {
		struct str api = str_of(apis[i].api);

		if (apis[i].provider != m->provider ||
		    !str_starts(m->model, api))
			continue;
		m->provider = apis[i].means;
		m->model = str_from(m->model, api.n);
		return;
	}
}

struct model_name
model_name_read(struct str name)
{
	struct model_name m = { .model = name };
	size_t slash = str_find_char(name, '/');
	size_t colon = str_find_char(name, ':');
	size_t end = slash < colon ? slash : colon;

	m.provider =
	    end == name.n ? NULL : provider_of(str_slice(name, 0, end));
	m.prefixed = m.provider != NULL;
	m.in_folder = !m.prefixed && slash < colon;
	if (m.prefixed)
		m.model = str_from(name, end + 1);
	else if (!m.in_folder)
		m.provider = family_of(name);
	if (m.prefixed && end == colon)
		skip_api(&m);
	return m;
}

bool
model_name_same_company(const struct provider *a, const struct provider *b)
{
	return a == b ||
	    (a == &provider_openai && b == &provider_openai_responses) ||
	    (a == &provider_openai_responses && b == &provider_openai);
}
