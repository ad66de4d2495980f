#include "extract/draft/split.h"

/* Returns the value of a step's kind. */
static struct str
kind_in(struct arena *a, const struct shape *kind, const struct shape *step,
    const struct json *v)
{
	const struct json *in =
	    kind->parent == step ? v : json_get(v, kind->parent->name);

	return json_text(json_get(in, kind->name), a);
}

/* Adds the step to the shape of its kind's value; or, if `by_class`, to that of its
 * class. */
static void
sort(struct split *to, struct arena *a, const struct json *step, bool by_class)
{
	struct str own = kind_in(a, to->kind, to->at, step);

	for (size_t i = 0; i < to->kind->n_values; i++) {
		enum draft_class c = to->class_of[i];

		if (!str_eq(to->kind->values[i], own))
			continue;
		if (!by_class)
			shape_add(a, &to->values[i], step);
		else if ((int)c < SPLIT_CLASSES)
			shape_add(a, &to->classes[c], step);
	}
}

static void
sort_all(struct split *to, struct arena *a, const struct json *const *records,
    size_t n, bool by_class)
{
	for (size_t i = 0; i < n; i++) {
		struct shape_values steps = shape_values(a, to->at, records[i]);

		for (size_t k = 0; k < steps.n; k++)
			sort(to, a, steps.list[k], by_class);
	}
}

/* Returns what the steps of a kind are, from its name, or else from their
 * members. */
static enum draft_class
class_of(struct str kind, struct shape *s)
{
	enum draft_class c = draft_class_of(kind);
	struct draft_found tool = draft_find(s, DRAFT_TOOL);
	bool args = draft_find(s, DRAFT_ARGS).at != NULL;
	bool result = draft_find(s, DRAFT_RESULT).at != NULL;

	if (c == DRAFT_IS_TOOL && tool.sure == DRAFT_STRONG &&
	    draft_find(s, DRAFT_ARGS).sure == DRAFT_STRONG)
		return DRAFT_IS_CALL;
	if (c == DRAFT_IS_TOOL)
		return tool.at != NULL && (args || tool.sure == DRAFT_STRONG) &&
			draft_find(s, DRAFT_RESULT_ID).sure != DRAFT_STRONG
		    ? DRAFT_IS_CALL
		    : DRAFT_IS_RESULT;
	if (c != DRAFT_IS_UNKNOWN && (c != DRAFT_IS_CALL || tool.at != NULL))
		return c;
	if (tool.at != NULL && args)
		return DRAFT_IS_CALL;
	return tool.sure == DRAFT_STRONG && result ? DRAFT_IS_RESULT
						   : DRAFT_IS_UNKNOWN;
}

/* Takes the steps of unknown kinds that have a text for the agent's, if prompts are
 * known and no other steps are the agent's. */
static void
guess_agent(struct split *to)
{
	bool prompts = false;

	for (size_t i = 0; i < to->kind->n_values; i++) {
		prompts |= to->class_of[i] == DRAFT_IS_PROMPT;
		if (to->class_of[i] == DRAFT_IS_TEXT)
			return;
	}
	for (size_t i = 0; prompts && i < to->kind->n_values; i++)
		if (to->class_of[i] == DRAFT_IS_UNKNOWN &&
		    !draft_is_nobody(to->kind->values[i]) &&
		    draft_find(&to->values[i], DRAFT_TEXT).at != NULL)
			to->class_of[i] = DRAFT_IS_TEXT;
}

void
split_by_kind(struct split *to, struct arena *a,
    const struct json *const *records, size_t n)
{
	struct shape *kind = to->kind;

	if (kind != NULL && to->at->parent != NULL && to->at->parent->table)
		to->kind = kind = NULL;
	if (kind == NULL)
		return;
	kind->used = true;
	to->values = arena_new_n(a, struct shape, SHAPE_VALUES);
	sort_all(to, a, records, n, false);
	for (size_t i = 0; i < kind->n_values; i++)
		to->class_of[i] = class_of(kind->values[i], &to->values[i]);
	guess_agent(to);
	sort_all(to, a, records, n, true);
}

static void
use_named(struct shape *of, struct str name)
{
	for (struct shape *m = of->first; m != NULL; m = m->next)
		m->used |= str_eq(m->name, name);
}

void
split_use_kind(const struct split *s, struct shape *of)
{
	const struct shape *in = s->kind->parent;

	for (struct shape *m = of->first; m != NULL; m = m->next)
		if (in == s->at)
			m->used |= str_eq(m->name, s->kind->name);
		else if (str_eq(m->name, in->name))
			use_named(m, s->kind->name);
}

bool
split_has(const struct split *s, enum draft_class c)
{
	return s->kind != NULL && s->classes[c].n != 0;
}

struct str
split_condition(
    struct arena *a, const struct split *s, enum draft_class c, char self)
{
	struct str path = str_from(shape_path(a, s->kind, s->at), 1);
	struct str all = { 0 };

	for (size_t i = 0; i < s->kind->n_values; i++)
		if (s->class_of[i] == c)
			all =
			    str_printf(a, "%.*s%s%c%.*s == %.*s", STR_FMT(all),
				all.n == 0 ? "" : " || ", self, STR_FMT(path),
				STR_FMT(shape_quoted(a, s->kind->values[i])));
	return all;
}
