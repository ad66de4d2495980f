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
	const size_t n = sizeof dialect_table / sizeof dialect_table[0];
	const struct dialect *row = i < n ? dialect_table[i] : NULL;

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

bool
dialect_has_values(const struct dialect *d)
{
	return d->read != NULL || d->read_root != NULL;
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

const struct form *
dialect_form(const struct dialect *d, struct str type, struct arena *a)
{
	const struct form_list *lists = d->types;
	const struct form *row = NULL;
	struct form *negated;

	for (; row == NULL && lists != NULL && lists->rows != NULL; lists++) {
		const char *prefix = lists->prefix == NULL ? "" : lists->prefix;

		for (size_t i = 0; (row = form_at(lists, i)) != NULL; i++)
			if (str_starts(type, prefix) &&
			    str_is(str_from(type, strlen(prefix)), row->name))
				break;
	}
	if (row != NULL || !d->negates || !str_starts(type, "not-"))
		return row;
	row = form_find(d->types, str_from(type, strlen("not-")));
	if (row == NULL)
		return NULL;
	negated = arena_new(a, struct form);
	*negated = *row;
	negated->role = row->negated;
	return negated;
}

void
dialect_suggest(const struct dialect *d, struct suggest *s, struct arena *a)
{
	const struct form_list *lists = d->types;
	const struct form *row;

	for (; lists != NULL && lists->rows != NULL; lists++)
		for (size_t i = 0; (row = form_at(lists, i)) != NULL; i++) {
			if (row->make == NULL)
				continue;
			suggest_try(s, str_of(row->name));
			if (d->negates)
				suggest_try(s,
				    str_cat(a, STR("not-"), str_of(row->name)));
		}
}
