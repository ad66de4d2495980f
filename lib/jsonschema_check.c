/* The keywords of JSON Schema, one short function each, and their table. */
#include <math.h>

#include "hash.h"
#include "jsonschema_tree.h"

enum { DEPTH_MAX = 3000 };

/* ---- saying why ---- */

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
static bool
broken(struct check *c, const struct spot *spot, const char *format,
    struct str detail)
{
	if (c->error != NULL && c->error->why.s == NULL) {
		c->error->path = path_of(c->arena, spot);
		c->error->why =
		    str_printf(c->arena, "%s%.*s", format, STR_FMT(detail));
	}
	return false;
}

static bool
unless(
    struct check *c, bool holds, const struct rule *r, const struct spot *spot)
{
	return holds ||
	    broken(c, spot, "expected ",
		str_printf(c->arena, "%s %.*s", r->keyword->name,
		    STR_FMT(r->value->text)));
}

/* The same question, asked without keeping the reason. */
static bool
quietly(struct check *c, const struct schema *s, const struct json *v,
    const struct spot *spot)
{
	struct check quiet = *c;

	quiet.error = NULL;
	return jsonschema_holds(&quiet, s, v, spot);
}

static const struct rule *
sibling(const struct rule *r, const char *name)
{
	for (size_t i = 0; i < r->owner->n; i++)
		if (str_is(str_of(name), r->owner->rules[i].keyword->name))
			return &r->owner->rules[i];
	return NULL;
}

/* ---- any instance ---- */

bool
jsonschema_integer(struct arena *a, const struct json *v)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return false;
	d = decimal_of(a, v->text);
	return decimal_is_integer(&d);
}

static bool
has_type(struct check *c, const struct json *v, const struct json *type)
{
	static const char *const names[] = { [JSON_NULL] = "null",
		[JSON_FALSE] = "boolean",
		[JSON_TRUE] = "boolean",
		[JSON_NUMBER] = "number",
		[JSON_STRING] = "string",
		[JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object" };

	if (json_str_is(type, STR("integer")))
		return jsonschema_integer(c->arena, v);
	return json_str_is(type, str_of(names[v->type]));
}

static bool
k_type(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	bool found = has_type(c, v, r->value);

	for (json_each(type, r->value))
		found |= has_type(c, v, type);
	return unless(c, found, r, spot);
}

static bool
k_enum(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	for (json_each(allowed, r->value))
		if (json_equal(allowed, v))
			return true;
	return unless(c, false, r, spot);
}

static bool
k_const(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return unless(c, json_equal(r->value, v), r, spot);
}

static bool
k_all_of(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	for (size_t i = 0; i < r->n; i++)
		if (!jsonschema_holds(c, r->parts[i].schema, v, spot))
			return false;
	return true;
}

static size_t
matching(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += quietly(c, r->parts[i].schema, v, spot);
	return n;
}

static bool
k_any_of(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return matching(c, r, v, spot) != 0 ||
	    broken(c, spot, "no schema of anyOf fits", STR(""));
}

static bool
k_one_of(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return matching(c, r, v, spot) == 1 ||
	    broken(c, spot, "not exactly one schema of oneOf fits", STR(""));
}

static bool
k_not(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return matching(c, r, v, spot) == 0 ||
	    broken(c, spot, "the schema of not fits", STR(""));
}

static bool
k_if(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	bool yes = quietly(c, r->parts[0].schema, v, spot);
	const struct rule *then = sibling(r, yes ? "then" : "else");

	return then == NULL ||
	    jsonschema_holds(c, then->parts[0].schema, v, spot);
}

/* ---- numbers ---- */

static bool
is_true(const struct rule *r)
{
	return r != NULL && json_is(r->value, JSON_TRUE);
}

/* Whether the number is on the right side of the bound; `sign` is 1 for a
 * lower bound, -1 for an upper one. */
static bool
beyond(struct check *c, const struct rule *r, const struct json *v, int sign,
    bool exclusive)
{
	struct decimal d = decimal_of(c->arena, v->text);
	int order = decimal_compare(&d, &r->number) * sign;

	return exclusive ? order > 0 : order >= 0;
}

static bool
bound(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	bool lower = str_ends(str_of(r->keyword->name), STR("inimum"));
	bool exclusive = str_starts(str_of(r->keyword->name), STR("exclusive"));

	if (!json_is(v, JSON_NUMBER) || !json_is(r->value, JSON_NUMBER))
		return true;
	exclusive |= is_true(
	    sibling(r, lower ? "exclusiveMinimum" : "exclusiveMaximum"));
	return unless(c, beyond(c, r, v, lower ? 1 : -1, exclusive), r, spot);
}

static bool
k_multiple_of(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return true;
	d = decimal_of(c->arena, v->text);
	return unless(c, decimal_is_multiple(&d, &r->number), r, spot);
}

/* ---- strings ---- */

static double
characters(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += ((unsigned char)text.s[i] & 0xc0) != 0x80;
	return (double)n;
}

/* minX or maxX: how many of what the instance has. */
static bool
count(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct str name = str_of(r->keyword->name);
	enum json_type wanted = str_ends(name, STR("Length")) ? JSON_STRING
	    : str_ends(name, STR("Items"))                    ? JSON_ARRAY
							      : JSON_OBJECT;
	double limit = json_double(r->value), n;

	if (!json_is(v, wanted))
		return true;
	n = wanted == JSON_STRING ? characters(json_text(v, c->arena))
				  : (double)json_count(v);
	return unless(
	    c, str_starts(name, STR("min")) ? n >= limit : n <= limit, r, spot);
}

static bool
matches(struct check *c, const struct regex *regex, const struct json *text)
{
	return regex_search(regex, json_text(text, c->arena), NULL, c->arena) ==
	    REGEX_YES;
}

static bool
k_pattern(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return !json_is(v, JSON_STRING) ||
	    unless(c, matches(c, r->regex, v), r, spot);
}

static bool
k_format(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	return !json_is(v, JSON_STRING) ||
	    unless(c,
		jsonschema_format(c->arena, json_text(r->value, c->arena),
		    json_text(v, c->arena)),
		r, spot);
}

/* ---- arrays ---- */

/* Which schema the element at this place must fit; NULL: none. */
static const struct schema *
element_schema(const struct rule *r, size_t index)
{
	const struct rule *more;

	if (!json_is(r->value, JSON_ARRAY))
		return r->parts[0].schema;
	if (index < r->n)
		return r->parts[index].schema;
	more = sibling(r, "additionalItems");
	return more == NULL ? NULL : more->parts[0].schema;
}

static bool
k_items(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_each(item, v)) {
		const struct schema *s = element_schema(r, at.index);

		if (s != NULL && !jsonschema_holds(c, s, item, &at))
			return false;
		at.index++;
	}
	return true;
}

static bool
k_contains(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct spot at = { .parent = spot };

	if (!json_is(v, JSON_ARRAY))
		return true;
	for (json_each(item, v)) {
		if (quietly(c, r->parts[0].schema, item, &at))
			return true;
		at.index++;
	}
	return broken(c, spot, "no element fits contains", STR(""));
}

/* A hash that equal values share, so that only its equals are compared. */
static uint64_t
hash_value(struct arena *a, const struct json *v)
{
	uint64_t hash = hash_add(HASH_START, STR("x")) + v->type;
	double number = json_double(v) + 0.0; /* -0 is 0 */

	if (json_is(v, JSON_NUMBER))
		return hash_add(
		    hash, (struct str){ (const char *)&number, sizeof number });
	if (json_is(v, JSON_STRING))
		return hash_add(hash, json_text(v, a));
	for (json_each(item, v))
		hash = hash * 31 + hash_value(a, item);
	for (json_members(key, v))
		if (json_get(v, json_text(key, a)) == json_value(key))
			hash += hash_value(a, key) *
			    (hash_value(a, json_value(key)) | 1);
	return hash;
}

struct same_hash {
	const struct json *value;
	struct same_hash *next;
};

static bool
k_unique(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct hash_table seen = { .arena = c->arena };

	if (!json_is(v, JSON_ARRAY) || !json_is(r->value, JSON_TRUE))
		return true;
	for (json_each(item, v)) {
		struct same_hash *one = arena_new(c->arena, struct same_hash);
		struct str key = str_printf(c->arena, "%llx",
		    (unsigned long long)hash_value(c->arena, item));
		void **slot = hash_put(&seen, key);

		for (struct same_hash *s = *slot; s != NULL; s = s->next)
			if (json_equal(s->value, item))
				return unless(c, false, r, spot);
		*one = (struct same_hash){ item, *slot };
		*slot = one;
	}
	return true;
}

/* ---- objects ---- */

static bool
k_required(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (json_each(name, r->value))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return broken(c, spot, "missing member ", name->text);
	return true;
}

static bool
k_properties(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (json_str_is(key, r->parts[i].name) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

static bool
k_pattern_properties(struct check *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (matches(c, r->parts[i].regex, key) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

static bool
named_elsewhere(struct check *c, const struct rule *r, const struct json *key)
{
	const struct rule *names = sibling(r, "properties");
	const struct rule *patterns = sibling(r, "patternProperties");

	for (size_t i = 0; names != NULL && i < names->n; i++)
		if (json_str_is(key, names->parts[i].name))
			return true;
	for (size_t i = 0; patterns != NULL && i < patterns->n; i++)
		if (matches(c, patterns->parts[i].regex, key))
			return true;
	return false;
}

static bool
k_additional(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		if (!named_elsewhere(c, r, key) &&
		    !jsonschema_holds(
			c, r->parts[0].schema, json_value(key), &at))
			return false;
	}
	return true;
}

static bool
k_property_names(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	for (json_members(key, v))
		if (!jsonschema_holds(c, r->parts[0].schema, key, spot))
			return false;
	return true;
}

static bool
depends(struct check *c, const struct schema_part *part, const struct json *v,
    const struct spot *spot)
{
	if (part->names == NULL)
		return jsonschema_holds(c, part->schema, v, spot);
	for (json_each(name, part->names))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return broken(c, spot, "missing member ", name->text);
	return true;
}

static bool
k_dependencies(struct check *c, const struct rule *r, const struct json *v,
    const struct spot *spot)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (size_t i = 0; i < r->n; i++)
		if (json_get(v, r->parts[i].name) != NULL &&
		    !depends(c, &r->parts[i], v, spot))
			return false;
	return true;
}

const struct keyword jsonschema_keywords[] = {
	{ "additionalItems", DRAFT_ALL, SHAPE_SCHEMA, NULL },
	{ "additionalProperties", DRAFT_ALL, SHAPE_SCHEMA, k_additional },
	{ "allOf", DRAFT_ALL, SHAPE_SCHEMAS, k_all_of },
	{ "anyOf", DRAFT_ALL, SHAPE_SCHEMAS, k_any_of },
	{ "const", DRAFT6_ON, SHAPE_ANY, k_const },
	{ "contains", DRAFT6_ON, SHAPE_SCHEMA, k_contains },
	{ "definitions", DRAFT_ALL, SHAPE_MAP, NULL },
	{ "dependencies", DRAFT_ALL, SHAPE_DEPENDENCIES, k_dependencies },
	{ "else", DRAFT7, SHAPE_SCHEMA, NULL },
	{ "enum", DRAFT_ALL, SHAPE_LIST, k_enum },
	{ "exclusiveMaximum", DRAFT_ALL, SHAPE_BOUND, bound },
	{ "exclusiveMinimum", DRAFT_ALL, SHAPE_BOUND, bound },
	{ "format", DRAFT_ALL, SHAPE_TEXT, k_format },
	{ "if", DRAFT7, SHAPE_SCHEMA, k_if },
	{ "items", DRAFT_ALL, SHAPE_ITEMS, k_items },
	{ "maxItems", DRAFT_ALL, SHAPE_COUNT, count },
	{ "maxLength", DRAFT_ALL, SHAPE_COUNT, count },
	{ "maxProperties", DRAFT_ALL, SHAPE_COUNT, count },
	{ "maximum", DRAFT_ALL, SHAPE_NUMBER, bound },
	{ "minItems", DRAFT_ALL, SHAPE_COUNT, count },
	{ "minLength", DRAFT_ALL, SHAPE_COUNT, count },
	{ "minProperties", DRAFT_ALL, SHAPE_COUNT, count },
	{ "minimum", DRAFT_ALL, SHAPE_NUMBER, bound },
	{ "multipleOf", DRAFT_ALL, SHAPE_NUMBER, k_multiple_of },
	{ "not", DRAFT_ALL, SHAPE_SCHEMA, k_not },
	{ "oneOf", DRAFT_ALL, SHAPE_SCHEMAS, k_one_of },
	{ "pattern", DRAFT_ALL, SHAPE_PATTERN, k_pattern },
	{ "patternProperties", DRAFT_ALL, SHAPE_PATTERNS,
	    k_pattern_properties },
	{ "properties", DRAFT_ALL, SHAPE_MAP, k_properties },
	{ "propertyNames", DRAFT6_ON, SHAPE_SCHEMA, k_property_names },
	{ "required", DRAFT_ALL, SHAPE_NAMES, k_required },
	{ "then", DRAFT7, SHAPE_SCHEMA, NULL },
	{ "type", DRAFT_ALL, SHAPE_TYPES, k_type },
	{ "uniqueItems", DRAFT_ALL, SHAPE_BOOL, k_unique },
};
const size_t jsonschema_nkeywords =
    sizeof jsonschema_keywords / sizeof jsonschema_keywords[0];

/* ---- schemas ---- */

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

bool
jsonschema_holds(struct check *c, const struct schema *s, const struct json *v,
    const struct spot *spot)
{
	bool holds;

	while (s->target != NULL)
		s = s->target;
	if (s->never)
		return broken(c, spot, "nothing is allowed here", STR(""));
	if (s->meta != 0)
		return jsonschema_compile(c->arena, v, NULL) != NULL ||
		    broken(c, spot, "expected a JSON Schema", STR(""));
	if (c->depth == DEPTH_MAX)
		return broken(
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
