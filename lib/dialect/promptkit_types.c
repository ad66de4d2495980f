/* All of PromptKit Arena's types of assertion. */
#include "promptkit_assertion.h"

static const struct promptkit_type *const lists[] = {
	promptkit_arguments,
	promptkit_calls,
	promptkit_content,
	promptkit_json,
	promptkit_judge,
	promptkit_media,
	promptkit_states,
	promptkit_validators,
};

enum { LISTS = sizeof lists / sizeof lists[0] };

bool
promptkit_has_type(struct str type)
{
	for (size_t i = 0; i < LISTS; i++)
		for (const struct promptkit_type *t = lists[i]; t->name != NULL;
		     t++)
			if (str_is(type, t->name))
				return true;
	return false;
}

/* A type that PromptKit knows, but not there. */
static struct check
misplaced(struct entry *e)
{
	entry_wrong(e, json_get(e->object, STR("type")),
	    promptkit_is_wide(e)
		? "an assertion of a turn, not of the conversation"
		: "an assertion of the conversation, not of a turn");
	e->any_key = true;
	return (struct check){ .scope = promptkit_place_of(e)->scope,
		.despite_error = true };
}

void
promptkit_assertion(
    struct reader *r, const struct json *v, const struct promptkit_place *place)
{
	struct form *list = NULL;
	struct forms forms = {
		.key = "type", .what = "assertion", .context = place
	};

	for (size_t i = 0; i < LISTS; i++)
		for (const struct promptkit_type *t = lists[i]; t->name != NULL;
		     t++)
			*arena_push(r->arena, list, forms.n) =
			    (struct form){ t->name,
				    t->levels & place->level ? t->make
							     : misplaced };
	forms.list = list;
	reader_entry(r, v, &forms);
}

void
promptkit_assertions(struct reader *r, const struct json *list,
    const struct promptkit_place *place)
{
	for (json_each(v, list))
		promptkit_assertion(r, v, place);
}
