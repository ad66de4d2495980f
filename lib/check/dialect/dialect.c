#include "check/dialect/dialect.h"

#include <string.h>

const struct dialect *const dialect_table[] = {
	&dialect_cursor_permissions,
	&dialect_gemini_settings,
	&dialect_claude_settings,
	&dialect_github_models,
	&dialect_agentevals,
	&dialect_openai_graders,
	&dialect_adk,
	&dialect_mcp_eval,
	&dialect_waza,
	&dialect_mcplab,
	&dialect_triggers,
	&dialect_evolve,
	&dialect_promptfoo,
	&dialect_promptkit,
	&dialect_promptkit_2,
	&dialect_codex_rules,
	&dialect_rules,
	NULL,
};

const char *
dialect_at(size_t i, const char **what)
{
	const struct dialect *row = dialect_table[i];

	if (row == NULL)
		return NULL;
	*what = row->what;
	return row->name;
}

const struct dialect *
dialect_named(const char *name)
{
	for (const struct dialect *const *d = dialect_table; *d != NULL; d++)
		if (strcmp((*d)->name, name) == 0)
			return *d;
	return NULL;
}

const struct dialect *
dialect_of(const struct document *doc)
{
	for (const struct dialect *const *d = dialect_table;
	     *d != NULL && doc->n != 0; d++)
		if ((*d)->owns != NULL && (*d)->owns(doc))
			return *d;
	return NULL;
}
