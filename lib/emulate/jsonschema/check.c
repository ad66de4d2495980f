/* Checks whether an instance is valid, and records the reason if it is not. */
#include "emulate/jsonschema/tree.h"

enum { DEPTH_MAX = 3000 };

static struct str
path_of(struct arena *a, const struct location *location)
{
	struct str parent;

	if (location == NULL)
		return STR("");
	parent = path_of(a, location->parent);
	return location->key != NULL
	    ? str_printf(a, "%.*s/%.*s", STR_FMT(parent),
		  STR_FMT(json_text(location->key, a)))
	    : str_printf(a, "%.*s/%zu", STR_FMT(parent), location->index);
}

/* Only the first violation is recorded, which is the innermost. */
bool
jsonschema_violation(struct validation *c, const struct location *location,
    const char *why, struct str detail)
{
	if (c->error != NULL && c->error->why.s == NULL) {
		c->error->path = path_of(c->arena, location);
		c->error->why =
		    str_printf(c->arena, "%s%.*s", why, STR_FMT(detail));
	}
	return false;
}

bool
jsonschema_require(struct validation *c, bool holds, const struct rule *r,
    const struct location *location)
{
	return holds ||
	    jsonschema_violation(c, location, "expected ",
		str_printf(c->arena, "%s %.*s", r->keyword->name,
		    STR_FMT(r->value->text)));
}

bool
jsonschema_holds_quietly(struct validation *c, const struct schema *s,
    const struct json *v, const struct location *location)
{
	struct validation quiet = *c;

	quiet.error = NULL;
	return jsonschema_holds(&quiet, s, v, location);
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
all_rules(struct validation *c, const struct schema *s, const struct json *v,
    const struct location *location)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rules[i].keyword->holds != NULL &&
		    !s->rules[i].keyword->holds(c, &s->rules[i], v, location))
			return false;
	return true;
}

static bool
is_schema(
    struct validation *c, const struct json *v, const struct location *location)
{
	struct jsonschema *schema = jsonschema_compile(c->arena, v, NULL);

	jsonschema_free(schema);
	return schema != NULL ||
	    jsonschema_violation(
		c, location, "expected a JSON Schema", STR(""));
}

/*
 * Returns whether results for the schema are cached: they are if the schema has
 * subschemas. Schemas that refer to each other may ask the same question again
 * and again, twice as often with each level.
 */
static bool
is_cached(const struct schema *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rules[i].n != 0)
			return true;
	return false;
}

static struct str
question(const void *const pair[2])
{
	return (struct str){ (const char *)pair, 2 * sizeof pair[0] };
}

/* Returns the cached result; NULL if there is none. */
static const bool *
cached_result(
    struct validation *c, const struct schema *s, const struct json *v)
{
	return hash_get(c->known, question((const void *[]){ s, v }));
}

static void
cache_result(struct validation *c, const struct schema *s, const struct json *v,
    bool holds)
{
	struct str key = question((const void *[]){ s, v });
	bool *found = arena_new(c->arena, bool);

	*found = holds;
	*hash_put(c->known, str_dup(c->arena, key)) = found;
}

bool
jsonschema_holds(struct validation *c, const struct schema *s,
    const struct json *v, const struct location *location)
{
	const bool *known;
	bool holds;

	while (s->target != NULL)
		s = s->target;
	if (s->rejects_all)
		return jsonschema_violation(
		    c, location, "nothing is allowed here", STR(""));
	if (s->meta != 0)
		return is_schema(c, v, location);
	if (c->depth == DEPTH_MAX)
		return jsonschema_violation(c, location,
		    "the schema refers to itself too deeply", STR(""));
	if (!is_cached(s))
		return all_rules(c, s, v, location);
	known = cached_result(c, s, v);
	if (known != NULL && (*known || c->error == NULL))
		return *known;
	c->depth++;
	holds = all_rules(c, s, v, location);
	c->depth--;
	cache_result(c, s, v, holds);
	return holds;
}

bool
jsonschema_valid(const struct jsonschema *schema, const struct json *instance,
    struct arena *a, struct jsonschema_error *error)
{
	struct jsonschema_error first = { 0 };
	struct hash_table known = { .arena = a };
	struct validation c = { .arena = a,
		.error = &first,
		.limit = &first.limit,
		.known = &known };
	bool valid = jsonschema_holds(&c, schema->root, instance, NULL);

	if (first.limit) {
		first.path = STR("");
		first.why = STR("no verdict within the step limit");
	}
	if (error != NULL)
		*error = first;
	return valid && !first.limit;
}
