#include "check/advice/set.h"

#include <string.h>

#include "yaml/document.h"

static const unsigned families_of_roles[ROLES] = {
	[ROLE_CALLED] = FAMILY_TOOLS,
	[ROLE_NOT_CALLED] = FAMILY_TOOLS | FAMILY_NEGATIVE,
	[ROLE_COUNT] = FAMILY_TOOLS | FAMILY_EFFICIENCY,
	[ROLE_ORDER] = FAMILY_TOOLS | FAMILY_ORDER,
	[ROLE_ARGUMENTS] = FAMILY_TOOLS | FAMILY_ARGUMENTS,
	[ROLE_NOT_ARGUMENTS] = FAMILY_ARGUMENTS | FAMILY_NEGATIVE,
	[ROLE_OUTPUT] = FAMILY_TOOLS | FAMILY_OUTPUT,
	[ROLE_HAS] = FAMILY_CONTENT,
	[ROLE_LACKS] = FAMILY_NEGATIVE,
	[ROLE_BOUND] = FAMILY_CONTENT,
	[ROLE_EQUALS] = FAMILY_CONTENT,
	[ROLE_REGEX] = FAMILY_CONTENT,
	[ROLE_NOT_REGEX] = FAMILY_NEGATIVE,
	[ROLE_STRUCTURE] = FAMILY_CONTENT,
	[ROLE_JUDGE] = FAMILY_QUALITY,
	[ROLE_ITERATIONS] = FAMILY_LIMITS,
	[ROLE_TIME] = FAMILY_TIME,
	[ROLE_AMOUNT] = FAMILY_LIMITS | FAMILY_EFFICIENCY,
	[ROLE_ERRORS] = FAMILY_ERRORS | FAMILY_NEGATIVE,
	[ROLE_FILE] = FAMILY_CONTENT | FAMILY_OUTPUT,
	[ROLE_NO_FILE] = FAMILY_NEGATIVE,
	[ROLE_COMMAND] = FAMILY_CONTENT | FAMILY_OUTPUT,
	[ROLE_STATE] = FAMILY_OUTPUT,
	[ROLE_GUARDRAIL] = FAMILY_NEGATIVE,
};

const struct json *
advice_key(const struct advice_item *item, const char *key)
{
	return json_get(item->keys, str_of(key));
}

/* Returns the value of the first of the type's keys that is there. An assertion
 * that is no mapping is its own value. */
static const struct json *
value_of(const struct advice_item *item)
{
	const char *subject = item->type->subject;
	struct str keys = str_of(subject == NULL ? "" : subject);

	if (item->keys == NULL)
		return item->check->source.value;
	while (keys.n != 0) {
		const struct json *v = item->keys;
		struct str path = str_cut(&keys, ' ');

		while (path.s != NULL)
			v = json_get(v, str_cut(&path, '.'));
		if (v != NULL)
			return v;
	}
	return NULL;
}

static struct str_list
texts_of(struct arena *a, const struct json *v)
{
	struct str *texts = arena_new_n(a, struct str, 1 + json_count(v));
	size_t n = 0;

	if (json_is(v, JSON_STRING))
		texts[n++] = json_text(v, a);
	for (json_each(one, v))
		if (json_is(one, JSON_STRING))
			texts[n++] = json_text(one, a);
	return (struct str_list){ texts, n };
}

struct advice_item
advice_item_of(struct arena *a, const struct dialect *d, const struct check *c)
{
	static const struct form none = { 0 };
	const struct form *row = dialect_form(d, c->type, a);
	struct advice_item item = { .check = c,
		.type = row == NULL ? &none : row,
		.keys = c->source.keys };

	if (d->in != NULL && json_has(item.keys, d->in))
		item.keys = json_get(item.keys, str_of(d->in));
	if (item.type->name != NULL)
		item.value = value_of(&item);
	item.texts = texts_of(a, item.value);
	return item;
}

/* Returns all that the author says the scenario is about. */
static struct str
about_of(struct arena *a, const struct scenario *s)
{
	const struct str parts[] = { s->id, s->prompt,
		json_text(json_get(s->object, "name"), a),
		json_text(json_get(s->object, "description"), a) };

	return str_join(a, parts, sizeof parts / sizeof parts[0], STR(" "));
}

/* Returns the families of the assertion. evolve's tool_call may have a pattern that
 * the call's arguments fit. */
static unsigned
families_of(const struct advice_item *item)
{
	unsigned families = families_of_roles[item->type->role];

	if (item->type->role == ROLE_CALLED &&
	    advice_key(item, "pattern") != NULL)
		families |= FAMILY_ARGUMENTS;
	return families;
}

struct advice_set
advice_set_of(
    struct arena *a, const struct scenario *s, const struct dialect *d)
{
	struct advice_set set = { .arena = a,
		.scenario = s,
		.dialect = d,
		.items = arena_new_n(a, struct advice_item, s->n),
		.name = STR("the set"),
		.about = about_of(a, s),
		.place = s->place };

	if (s->id.s != NULL)
		set.name = str_printf(a, "'%.*s'", STR_FMT(s->id));
	for (size_t i = 0; i < s->n; i++) {
		struct advice_item *item = &set.items[set.n++];

		*item = advice_item_of(a, d, &s->checks[i]);
		set.families |= families_of(item);
	}
	return set;
}

bool
advice_same_part(const struct advice_item *x, const struct advice_item *y)
{
	const struct scope *a = &x->check->scope, *b = &y->check->scope;

	return a->part == b->part && a->turn == b->turn;
}

struct str
advice_type_name(const struct advice_set *set, const struct advice_item *item)
{
	struct str type = item->check->type;

	if (strcmp(set->dialect->name, "mcplab") != 0)
		return type;
	if (str_ends(type, "_tool"))
		return str_cat(set->arena, type, STR("s"));
	if (str_starts(type, "response_"))
		return str_from(type, sizeof "response_" - 1);
	return str_starts(type, "tool_input_")
	    ? str_from(type, sizeof "tool_input_" - 1)
	    : type;
}

struct place
advice_place_of(const struct advice_item *item, const struct json *v)
{
	const struct check_source *s = &item->check->source;

	return v == NULL || item->added ? s->place : document_place(s->doc, v);
}

struct place
advice_value_place(const struct advice_item *item)
{
	return advice_place_of(item, item->value);
}

const struct advice_item *
advice_find(const struct advice_set *set, enum assertion_role role)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->items[i].type->role == role)
			return &set->items[i];
	return NULL;
}

/* Returns whether the text names the tool: by its name, or, in evolve's files, by
 * a pattern that is the name with or without anchors. */
static bool
names(struct str text, struct str tool)
{
	if (str_starts(text, "^"))
		text = str_from(text, 1);
	if (str_ends(text, "$"))
		text.n--;
	return str_eq(text, tool);
}

bool
advice_requires(const struct advice_set *set, struct str tool)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (!(families_of_roles[item->type->role] & FAMILY_TOOLS))
			continue;
		for (size_t k = 0; k < item->texts.n; k++)
			if (names(item->texts.list[k], tool))
				return true;
		if (item->type->role == ROLE_OUTPUT &&
		    json_str_is(advice_key(item, "tool_name"), tool))
			return true;
	}
	return false;
}
