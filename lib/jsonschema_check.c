/* Whether an instance is valid, and saying why it is not. */
#include "jsonschema_tree.h"

enum { DEPTH_MAX = 3000 };

static struct str
path_of(struct arena *a, const struct spot *spot)
{
	struct str parent;

	if (spot == NULL)
		return STR("");
	parent = path_of(a, spot->parent);
	return spot->key != NULL
	    ? str_printf(a, "%.*s/%.*s", STR_FMT(parent),
		  STR_FMT(json_text(spot->key, a)))
	    : str_printf(a, "%.*s/%zu", STR_FMT(parent), spot->index);
}

/* The first reason is the innermost, and the one that is kept. */
bool
jsonschema_broken(struct check *c, const struct spot *spot, const char *format,
    struct str detail)
{
	if (c->error != NULL && c->error->why.s == NULL) {
		c->error->path = path_of(c->arena, spot);
		c->error->why =
		    str_printf(c->arena, "%s%.*s", format, STR_FMT(detail));
	}
	return false;
}

bool
jsonschema_unless(
    struct check *c, bool holds, const struct rule *r, const struct spot *spot)
{
	return holds ||
	    jsonschema_broken(c, spot, "expected ",
		str_printf(c->arena, "%s %.*s", r->keyword->name,
		    STR_FMT(r->value->text)));
}

/* The same question, asked without keeping the reason. */
bool
jsonschema_quietly(struct check *c, const struct schema *s,
    const struct json *v, const struct spot *spot)
{
	struct check quiet = *c;

	quiet.error = NULL;
	return jsonschema_holds(&quiet, s, v, spot);
}

const struct rule *
jsonschema_sibling(const struct rule *r, const char *name)
{
	for (size_t i = 0; i < r->owner->n; i++)
		if (str_is(str_of(name), r->owner->rules[i].keyword->name))
			return &r->owner->rules[i];
	return NULL;
}

static bool
all_rules(struct check *c, const struct schema *s, const struct json *v,
    const struct spot *spot)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rules[i].keyword->holds != NULL &&
		    !s->rules[i].keyword->holds(c, &s->rules[i], v, spot))
			return false;
	return true;
}

static bool
is_schema(struct check *c, const struct json *v, const struct spot *spot)
{
	struct jsonschema *schema = jsonschema_compile(c->arena, v, NULL);

	jsonschema_free(schema);
	return schema != NULL ||
	    jsonschema_broken(c, spot, "expected a JSON Schema", STR(""));
}

bool
jsonschema_holds(struct check *c, const struct schema *s, const struct json *v,
    const struct spot *spot)
{
	bool holds;

	while (s->target != NULL)
		s = s->target;
	if (s->never)
		return jsonschema_broken(
		    c, spot, "nothing is allowed here", STR(""));
	if (s->meta != 0)
		return is_schema(c, v, spot);
	if (c->depth == DEPTH_MAX)
		return jsonschema_broken(
		    c, spot, "the schema refers to itself too deeply", STR(""));
	c->depth++;
	holds = all_rules(c, s, v, spot);
	c->depth--;
	return holds;
}

bool
jsonschema_valid(const struct jsonschema *schema, const struct json *instance,
    struct arena *a, struct jsonschema_error *error)
{
	struct jsonschema_error first = { 0 };
	struct check c = { .arena = a, .error = &first };
	bool valid = jsonschema_holds(&c, schema->root, instance, NULL);

	if (error != NULL)
		*error = first;
	return valid;
}
