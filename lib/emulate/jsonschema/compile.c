/* Compiles a schema to rules. */
#include "emulate/jsonschema/compile.h"
#include "base/uri.h"

static struct schema *compile(struct compiler *, const struct json *);

static void
resolve(struct compiler *c, struct schema *schema, struct str reference)
{
	const struct json *v = jsonschema_resolve(c, schema->base, reference);
	const struct json *own = json_get(schema->json, "$ref");

	if (v != NULL) {
		schema->target = compile(c, v);
		return;
	}
	schema->meta =
	    jsonschema_draft_of(uri_resolve(c->arena, schema->base, reference));
	if (schema->meta == 0 || uri_of(reference).fragment.n != 0)
		jsonschema_fail(c, own,
		    str_printf(c->arena,
			"reference \"%.*s\" leads nowhere in this schema",
			STR_FMT(reference)));
}

/* ---- schemas ---- */

static struct schema *
add_schema(struct compiler *c, const struct json *v)
{
	struct schema *s = arena_new(c->arena, struct schema);

	s->json = v;
	s->base = c->bases[jsonschema_index(c, v)];
	s->rejects_all = json_is(v, JSON_FALSE);
	c->schemas[jsonschema_index(c, v)] = s;
	return s;
}

/* Returns whether gojsonschema reads this keyword before it comes to $ref, and
 * so may refuse the schema because of it. */
static bool
is_beside_reference(const struct json *key)
{
	static const char *const names[] = { "$id", "definitions",
		"description", "id", "title" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_str_is(key, str_of(names[i])))
			return true;
	return false;
}

static struct regex *
pattern(struct compiler *c, const struct json *v)
{
	struct regex_error error;
	struct regex *r = regex_compile(
	    c->arena, REGEX_RE2, json_text(v, c->arena), 0, &error);

	if (r == NULL)
		jsonschema_fail(c, v,
		    str_printf(c->arena, "pattern does not compile: %.*s",
			STR_FMT(regex_error_text(c->arena, &error))));
	if (r != NULL)
		*arena_push(c->arena, c->made->patterns, c->made->npatterns) =
		    r;
	return r;
}

static struct schema_part *
add_part(struct compiler *c, struct rule *r)
{
	return arena_push(c->arena, r->parts, r->n);
}

static void
schemas_of_list(struct compiler *c, struct rule *r)
{
	for (json_each(v, r->value))
		add_part(c, r)->schema = compile(c, v);
}

static void
schemas_of_map(struct compiler *c, struct rule *r)
{
	for (json_members(key, r->value)) {
		const struct json *value = json_value(key);
		struct schema_part *part = add_part(c, r);

		part->name = json_text(key, c->arena);
		if (r->keyword->shape == SHAPE_PATTERNS)
			part->regex = pattern(c, key);
		if (r->keyword->shape == SHAPE_DEPENDENCIES &&
		    json_is(value, JSON_ARRAY)) {
			if (!jsonschema_all_strings(value))
				jsonschema_fail(
				    c, value, STR("expected a list of names"));
			part->names = value;
		} else {
			part->schema = compile(c, value);
		}
	}
}

static void
compile_value(struct compiler *c, struct rule *r)
{
	switch (r->keyword->shape) {
	case SHAPE_SCHEMA:
		add_part(c, r)->schema = compile(c, r->value);
		break;
	case SHAPE_MORE:
		add_part(c, r)->schema = jsonschema_is_bool(r->value)
		    ? add_schema(c, r->value)
		    : compile(c, r->value);
		break;
	case SHAPE_ITEMS:
		if (json_is(r->value, JSON_ARRAY))
			schemas_of_list(c, r);
		else
			add_part(c, r)->schema = compile(c, r->value);
		break;
	case SHAPE_SCHEMAS:
		schemas_of_list(c, r);
		break;
	case SHAPE_MAP:
	case SHAPE_PATTERNS:
	case SHAPE_DEPENDENCIES:
		schemas_of_map(c, r);
		break;
	case SHAPE_PATTERN:
		r->regex = pattern(c, r->value);
		break;
	case SHAPE_NUMBER:
	case SHAPE_STEP:
	case SHAPE_BOUND:
		if (json_is(r->value, JSON_NUMBER))
			r->number = decimal_of(c->arena, r->value->text);
		break;
	default:
		break;
	}
}

static void
add_rule(struct compiler *c, struct schema *s, const struct json *key)
{
	const struct keyword *k = jsonschema_keyword_of(c, key);
	const struct json *value = json_value(key);
	struct rule r = { .keyword = k, .owner = s, .value = value };
	const char *wrong;

	if (k == NULL || json_get(s->json, str_of(k->name)) != value)
		return;
	wrong = jsonschema_shape_error(c, s->json, k, value);
	if (wrong != NULL) {
		jsonschema_fail(
		    c, value, str_printf(c->arena, "%s: %s", k->name, wrong));
		return;
	}
	compile_value(c, &r);
	*arena_push(c->arena, s->rules, s->n) = r;
}

static struct schema *
compile(struct compiler *c, const struct json *v)
{
	struct schema *s = c->schemas[jsonschema_index(c, v)];

	if (s != NULL)
		return s;
	s = add_schema(c, v);
	if (jsonschema_is_bool(v) && c->draft & DRAFT6_ON)
		return s;
	if (!json_is(v, JSON_OBJECT))
		jsonschema_fail(
		    c, v, STR("expected a schema: an object or a boolean"));
	if (jsonschema_is_reference(v))
		resolve(c, s, jsonschema_text_member(c, v, STR("$ref")));
	for (json_members(key, v))
		if (!jsonschema_is_reference(v) || is_beside_reference(key))
			add_rule(c, s, key);
	return s;
}

/* Reports references that lead only to one another. */
static void
check_loops(struct compiler *c)
{
	for (size_t i = 0; i < c->root->span; i++) {
		struct schema *s = c->schemas[i];
		size_t steps = 0;

		while (
		    s != NULL && s->target != NULL && steps <= c->root->span) {
			s = s->target;
			steps++;
		}
		if (s != NULL && s->target != NULL) {
			jsonschema_fail(
			    c, s->json, STR("reference leads to itself"));
			return;
		}
	}
}

struct jsonschema *
jsonschema_compile(
    struct arena *a, const struct json *schema, struct jsonschema_error *error)
{
	struct jsonschema *made = arena_new(a, struct jsonschema);
	struct compiler c = { .arena = a, .root = schema, .error = error };
	const struct json *declared = json_get(schema, "$schema");

	if (declared != NULL && !json_is(declared, JSON_STRING))
		jsonschema_fail(
		    &c, declared, STR("$schema: expected a string"));
	c.draft = jsonschema_draft_of(
	    jsonschema_text_member(&c, schema, STR("$schema")));
	if (c.draft == 0)
		c.draft = DRAFT_ALL;
	c.ids.arena = a;
	c.schemas = arena_new_n(a, struct schema *, schema->span);
	c.bases = arena_new_n(a, struct str, schema->span);
	jsonschema_set_id(&c, STR(""), schema);
	jsonschema_collect(&c, schema, STR(""));
	c.made = made;
	made->root = compile(&c, schema);
	check_loops(&c);
	if (!c.failed)
		return made;
	jsonschema_free(made);
	return NULL;
}

void
jsonschema_free(const struct jsonschema *schema)
{
	for (size_t i = 0; schema != NULL && i < schema->npatterns; i++)
		regex_free(schema->patterns[i]);
}
