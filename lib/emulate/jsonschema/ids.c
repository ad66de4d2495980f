#include "emulate/jsonschema/compile.h"

#include "base/uri.h"

void
jsonschema_fail(struct compiler *c, const struct json *at, struct str why)
{
	if (!c->failed && c->error != NULL)
		*c->error = (struct jsonschema_error){ .at = at, .why = why };
	c->failed = true;
}

size_t
jsonschema_index(const struct compiler *c, const struct json *v)
{
	return (size_t)(v - c->root);
}

struct str
jsonschema_text_member(
    struct compiler *c, const struct json *object, struct str name)
{
	return json_text(json_get(object, name), c->arena);
}

/* ---- which draft, which ids ---- */

void
jsonschema_set_id(struct compiler *c, struct str uri, const struct json *v)
{
	const struct json **box = arena_new(c->arena, const struct json *);

	*box = v;
	*hash_put(&c->ids, uri) = box;
}

static const struct json *
value_of_id(const struct compiler *c, struct str uri)
{
	const struct json **box = hash_get(&c->ids, uri);

	return box == NULL ? NULL : *box;
}

int
jsonschema_draft_of(struct str uri)
{
	static const struct {
		const char *uri;
		int draft;
	} drafts[] = {
		{ "http://json-schema.org/draft-04/schema", DRAFT4 },
		{ "http://json-schema.org/draft-06/schema", DRAFT6 },
		{ "http://json-schema.org/draft-07/schema", DRAFT7 },
	};

	if (str_ends(uri, "#"))
		uri.n--;
	for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++)
		if (str_is(uri, drafts[i].uri))
			return drafts[i].draft;
	return 0;
}

const struct keyword *
jsonschema_keyword_of(const struct compiler *c, const struct json *key)
{
	for (size_t i = 0; i < jsonschema_nkeywords; i++) {
		const struct keyword *k = &jsonschema_keywords[i];

		if (k->drafts & c->draft && json_str_is(key, str_of(k->name)))
			return k;
	}
	return NULL;
}

bool
jsonschema_is_reference(const struct json *schema)
{
	return json_is(json_get(schema, "$ref"), JSON_STRING);
}

static struct str
own_id(struct compiler *c, const struct json *schema)
{
	struct str id = { 0 };

	if (c->draft & DRAFT6_ON)
		id = jsonschema_text_member(c, schema, STR("$id"));
	if (id.s == NULL && c->draft & DRAFT4)
		id = jsonschema_text_member(c, schema, STR("id"));
	return id;
}

static void
collect_each(struct compiler *c, const struct json *within, struct str base)
{
	for (json_each(item, within))
		jsonschema_collect(c, item, base);
	for (json_members(key, within))
		jsonschema_collect(c, json_value(key), base);
}

static void
collect_keyword(struct compiler *c, const struct json *key, struct str base)
{
	const struct keyword *k = jsonschema_keyword_of(c, key);
	const struct json *value = json_value(key);

	switch (k == NULL ? SHAPE_ANY : k->shape) {
	case SHAPE_ITEMS:
		if (json_is(value, JSON_ARRAY)) {
			collect_each(c, value, base);
			break;
		}
		jsonschema_collect(c, value, base);
		break;
	case SHAPE_SCHEMA:
	case SHAPE_MORE:
		jsonschema_collect(c, value, base);
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

void
jsonschema_collect(
    struct compiler *c, const struct json *schema, struct str base)
{
	struct str id = { 0 };

	if (!json_is(schema, JSON_OBJECT))
		return;
	if (!jsonschema_is_reference(schema))
		id = own_id(c, schema);
	if (id.s != NULL) {
		struct str fragment = uri_of(id).fragment;
		struct str uri = uri_resolve(c->arena, base, id);

		if (fragment.n != 0)
			uri = str_printf(c->arena, "%.*s#%.*s", STR_FMT(uri),
			    STR_FMT(fragment));
		else
			base = uri;
		jsonschema_set_id(c, uri, schema);
	}
	c->bases[jsonschema_index(c, schema)] = base;
	for (json_members(key, schema))
		if (!jsonschema_is_reference(schema) ||
		    json_str_is(key, "definitions"))
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

/* Returns the value that a JSON pointer (RFC 6901) leads to. */
static const struct json *
follow(struct compiler *c, const struct json *v, struct str pointer)
{
	struct str rest = str_from(pointer, 1);

	while (rest.s != NULL && v != NULL)
		v = child(v, unescape_token(c->arena, str_cut(&rest, '/')));
	return v;
}

const struct json *
jsonschema_resolve(struct compiler *c, struct str base, struct str reference)
{
	struct str uri = uri_resolve(c->arena, base, reference);
	struct str fragment = uri_decode(c->arena, uri_of(reference).fragment);
	const struct json *document = value_of_id(c, uri);

	if (fragment.n == 0)
		return document;
	if (fragment.s[0] == '/')
		return document == NULL ? NULL : follow(c, document, fragment);
	return value_of_id(c,
	    str_printf(c->arena, "%.*s#%.*s", STR_FMT(uri), STR_FMT(fragment)));
}
