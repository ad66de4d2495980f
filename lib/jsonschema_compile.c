/* A schema's text to rules: ids first, then each schema, then references. */
#include <string.h>

#include "hash.h"
#include "jsonschema_tree.h"
#include "uri.h"

struct compiler {
	struct arena *arena;
	const struct json *root;
	int draft;               /* DRAFT4, ... or DRAFT_ALL */
	struct schema **schemas; /* by the place of their value in the root */
	struct str *bases;       /* the same: what references are relative to */
	struct hash_table ids;   /* URI to value */
	struct jsonschema_error *error;
	bool failed;
};

static struct schema *compile(struct compiler *, const struct json *);

static void
fail(struct compiler *c, const struct json *at, struct str why)
{
	if (!c->failed && c->error != NULL)
		*c->error = (struct jsonschema_error){ .at = at, .why = why };
	c->failed = true;
}

static size_t
place(const struct compiler *c, const struct json *v)
{
	return (size_t)(v - c->root);
}

static struct str
text_member(struct compiler *c, const struct json *object, struct str name)
{
	return json_text(json_get(object, name), c->arena);
}

/* ---- which draft, which ids ---- */

static void
remember(struct compiler *c, struct str uri, const struct json *v)
{
	const struct json **box = arena_new(c->arena, const struct json *);

	*box = v;
	*hash_put(&c->ids, uri) = box;
}

static const struct json *
remembered(const struct compiler *c, struct str uri)
{
	const struct json **box = hash_get(&c->ids, uri);

	return box == NULL ? NULL : *box;
}

static int
draft_of(struct str uri)
{
	static const struct {
		const char *uri;
		int draft;
	} drafts[] = {
		{ "http://json-schema.org/draft-04/schema", DRAFT4 },
		{ "http://json-schema.org/draft-06/schema", DRAFT6 },
		{ "http://json-schema.org/draft-07/schema", DRAFT7 },
	};

	if (str_ends(uri, STR("#")))
		uri.n--;
	for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++)
		if (str_is(uri, drafts[i].uri))
			return drafts[i].draft;
	return 0;
}

static const struct keyword *
keyword_of(const struct compiler *c, const struct json *key)
{
	for (size_t i = 0; i < jsonschema_nkeywords; i++) {
		const struct keyword *k = &jsonschema_keywords[i];

		if (k->drafts & c->draft && json_str_is(key, str_of(k->name)))
			return k;
	}
	return NULL;
}

/* $ref takes the place of all that stands beside it. */
static bool
is_reference(const struct json *schema)
{
	return json_is(json_get(schema, STR("$ref")), JSON_STRING);
}

static struct str
own_id(struct compiler *c, const struct json *schema)
{
	struct str id = { 0 };

	if (c->draft & DRAFT6_ON)
		id = text_member(c, schema, STR("$id"));
	if (id.s == NULL && c->draft & DRAFT4)
		id = text_member(c, schema, STR("id"));
	return id;
}

static void collect(struct compiler *, const struct json *, struct str base);

static void
collect_each(struct compiler *c, const struct json *within, struct str base)
{
	for (json_each(item, within))
		collect(c, item, base);
	for (json_members(key, within))
		collect(c, json_value(key), base);
}

static void
collect_keyword(struct compiler *c, const struct json *key, struct str base)
{
	const struct keyword *k = keyword_of(c, key);
	const struct json *value = json_value(key);

	switch (k == NULL ? SHAPE_ANY : k->shape) {
	case SHAPE_ITEMS:
		if (json_is(value, JSON_ARRAY)) {
			collect_each(c, value, base);
			break;
		}
		collect(c, value, base);
		break;
	case SHAPE_SCHEMA:
		collect(c, value, base);
		break;
	case SHAPE_SCHEMAS:
	case SHAPE_MAP:
	case SHAPE_PATTERNS:
	case SHAPE_DEPENDENCIES:
		collect_each(c, value, base);
		break;
	default:
		break;
	}
}

/* Notes the base of every schema, and which value each id names. */
static void
collect(struct compiler *c, const struct json *schema, struct str base)
{
	struct str id;

	if (!json_is(schema, JSON_OBJECT))
		return;
	id = is_reference(schema) ? (struct str){ 0 } : own_id(c, schema);
	if (id.s != NULL) {
		struct str fragment = uri_of(id).fragment;
		struct str uri = uri_resolve(c->arena, base, id);

		if (fragment.n != 0)
			uri = str_printf(c->arena, "%.*s#%.*s", STR_FMT(uri),
			    STR_FMT(fragment));
		else
			base = uri;
		remember(c, uri, schema);
	}
	c->bases[place(c, schema)] = base;
	for (json_members(key, schema))
		if (!is_reference(schema) ||
		    json_str_is(key, STR("definitions")))
			collect_keyword(c, key, base);
}

/* ---- references ---- */

static struct str
unescape_token(struct arena *a, struct str token)
{
	char *copy = str_c(a, token);
	size_t n = 0;

	for (size_t i = 0; i < token.n; i++) {
		copy[n++] = token.s[i];
		if (token.s[i] == '~' && i + 1 < token.n &&
		    (token.s[i + 1] == '0' || token.s[i + 1] == '1'))
			copy[n - 1] = token.s[++i] == '0' ? '~' : '/';
	}
	return (struct str){ copy, n };
}

static const struct json *
child(const struct json *v, struct str token)
{
	size_t index = 0;

	if (!json_is(v, JSON_ARRAY))
		return json_get(v, token);
	for (size_t i = 0; i < token.n; i++) {
		if (token.s[i] < '0' || token.s[i] > '9' || i > 8)
			return NULL;
		index = index * 10 + (size_t)(token.s[i] - '0');
	}
	return token.n == 0 ? NULL : json_at(v, index);
}

/* The value that a JSON pointer (RFC 6901) leads to. */
static const struct json *
follow(struct compiler *c, const struct json *v, struct str pointer)
{
	struct str rest = str_from(pointer, 1);

	while (rest.s != NULL && v != NULL)
		v = child(v, unescape_token(c->arena, str_cut(&rest, '/')));
	return v;
}

static const struct json *
referred(struct compiler *c, struct str base, struct str reference)
{
	struct str uri = uri_resolve(c->arena, base, reference);
	struct str fragment = uri_decode(c->arena, uri_of(reference).fragment);
	const struct json *document = remembered(c, uri);

	if (fragment.n == 0)
		return document;
	if (fragment.s[0] == '/')
		return document == NULL ? NULL : follow(c, document, fragment);
	return remembered(c,
	    str_printf(c->arena, "%.*s#%.*s", STR_FMT(uri), STR_FMT(fragment)));
}

static void
resolve(struct compiler *c, struct schema *schema, struct str reference)
{
	const struct json *v = referred(c, schema->base, reference);
	const struct json *own = json_get(schema->json, STR("$ref"));

	if (v != NULL) {
		schema->target = compile(c, v);
		return;
	}
	schema->meta = draft_of(uri_resolve(c->arena, schema->base, reference));
	if (schema->meta == 0 || uri_of(reference).fragment.n != 0)
		fail(c, own,
		    str_printf(c->arena,
			"reference \"%.*s\" leads nowhere in this schema",
			STR_FMT(reference)));
}

/* ---- schemas ---- */

static struct regex *
pattern(struct compiler *c, const struct json *v)
{
	struct regex_error error;
	struct regex *r = regex_compile(
	    c->arena, REGEX_RE2, json_text(v, c->arena), 0, &error);

	if (r == NULL)
		fail(c, v,
		    str_printf(c->arena, "pattern does not compile: %.*s",
			STR_FMT(error.why)));
	return r;
}

static struct schema_part *
add_part(struct compiler *c, struct rule *r)
{
	return arena_push(c->arena, r->parts, r->n);
}

static bool
all_strings(const struct json *list)
{
	for (json_each(v, list))
		if (!json_is(v, JSON_STRING))
			return false;
	return json_is(list, JSON_ARRAY);
}

static void
schemas_of_list(struct compiler *c, struct rule *r)
{
	if (r->keyword->shape == SHAPE_SCHEMAS && json_count(r->value) == 0)
		fail(c, r->value, STR("expected a list that is not empty"));
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
			if (!all_strings(value))
				fail(c, value, STR("expected a list of names"));
			part->names = value;
		} else {
			struct schema *s = compile(c, value);

			r->parts[r->n - 1].schema = s;
		}
	}
}

static bool
is_type_name(const struct json *v)
{
	static const char *const names[] = { "null", "boolean", "object",
		"array", "number", "string", "integer" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_str_is(v, str_of(names[i])))
			return true;
	return false;
}

static bool
are_types(const struct json *v)
{
	if (!json_is(v, JSON_ARRAY))
		return is_type_name(v);
	for (json_each(name, v))
		if (!is_type_name(name))
			return false;
	return true;
}

static bool
is_bool(const struct json *v)
{
	return json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE);
}

static bool
is_count(struct compiler *c, const struct json *v)
{
	return jsonschema_integer(c->arena, v) && json_double(v) >= 0;
}

/* What is wrong with a keyword's value, or NULL. */
static const char *
misshapen(struct compiler *c, enum shape shape, const struct json *v)
{
	switch (shape) {
	case SHAPE_SCHEMAS:
	case SHAPE_LIST:
		return json_is(v, JSON_ARRAY) ? NULL : "expected a list";
	case SHAPE_MAP:
	case SHAPE_PATTERNS:
	case SHAPE_DEPENDENCIES:
		return json_is(v, JSON_OBJECT) ? NULL : "expected an object";
	case SHAPE_NUMBER:
		return json_is(v, JSON_NUMBER) ? NULL : "expected a number";
	case SHAPE_BOUND:
		if (json_is(v, JSON_NUMBER) && c->draft & DRAFT6_ON)
			return NULL;
		return is_bool(v) && c->draft & DRAFT4
		    ? NULL
		    : "expected a number (in draft 4 a boolean)";
	case SHAPE_COUNT:
		return is_count(c, v) ? NULL : "expected a whole number";
	case SHAPE_BOOL:
		return is_bool(v) ? NULL : "expected a boolean";
	case SHAPE_TEXT:
	case SHAPE_PATTERN:
		return json_is(v, JSON_STRING) ? NULL : "expected a string";
	case SHAPE_NAMES:
		return all_strings(v) ? NULL : "expected a list of names";
	case SHAPE_TYPES:
		return are_types(v) ? NULL : "expected the name of a type";
	default:
		return NULL;
	}
}

static void
compile_value(struct compiler *c, struct rule *r)
{
	switch (r->keyword->shape) {
	case SHAPE_SCHEMA:
		add_part(c, r)->schema = compile(c, r->value);
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
	const struct keyword *k = keyword_of(c, key);
	const struct json *value = json_value(key);
	struct rule r = { .keyword = k, .owner = s, .value = value };
	const char *wrong;

	if (k == NULL || json_get(s->json, str_of(k->name)) != value)
		return;
	wrong = misshapen(c, k->shape, value);
	if (wrong != NULL) {
		fail(c, value, str_printf(c->arena, "%s: %s", k->name, wrong));
		return;
	}
	compile_value(c, &r);
	*arena_push(c->arena, s->rules, s->n) = r;
}

static struct schema *
compile(struct compiler *c, const struct json *v)
{
	struct schema **slot = &c->schemas[place(c, v)], *s;

	if (*slot != NULL)
		return *slot;
	*slot = s = arena_new(c->arena, struct schema);
	s->json = v;
	s->base = c->bases[place(c, v)];
	s->never = json_is(v, JSON_FALSE);
	if (is_bool(v) && c->draft & DRAFT6_ON)
		return s;
	if (!json_is(v, JSON_OBJECT))
		fail(c, v, STR("expected a schema: an object or a boolean"));
	if (is_reference(v)) {
		resolve(c, s, text_member(c, v, STR("$ref")));
		return s;
	}
	for (json_members(key, v))
		add_rule(c, s, key);
	return s;
}

/* References that lead to nothing but one another. */
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
			fail(c, s->json, STR("reference leads to itself"));
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

	c.draft = draft_of(text_member(&c, schema, STR("$schema")));
	if (c.draft == 0)
		c.draft = DRAFT_ALL;
	c.ids.arena = a;
	c.schemas = arena_new_n(a, struct schema *, schema->span);
	c.bases = arena_new_n(a, struct str, schema->span);
	remember(&c, STR(""), schema);
	collect(&c, schema, STR(""));
	made->root = compile(&c, schema);
	check_loops(&c);
	return c.failed ? NULL : made;
}
