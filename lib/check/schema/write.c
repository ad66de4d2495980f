/* Writes what is known of a dialect's files as a JSON Schema. */
#include "check/schema/schema.h"

#include <string.h>

#include "check/schema/node.h"

/* The parts of the schema that several places share, each once. */
struct parts {
	struct arena *arena;
	struct hash_table known; /* by text, to the name */
	struct str *texts;
	size_t n;
};

static void put_node(struct out *, struct parts *, const struct node *, bool);

/* Returns the part's number. */
static size_t
part(struct parts *parts, struct str text)
{
	void **slot;
	size_t *number;

	parts->known.arena = parts->arena;
	slot = hash_put(&parts->known, text);
	number = *slot;
	if (number == NULL) {
		*slot = number = arena_new(parts->arena, size_t);
		*number = parts->n;
		*arena_push(parts->arena, parts->texts, parts->n) = text;
	}
	return *number;
}

static void
put_number(struct out *o, struct parts *parts, size_t number)
{
	out_begin(o, '{');
	out_key(o, "$ref");
	out_json_str(
	    o, str_printf(parts->arena, "#/definitions/part-%zu", number));
	out_end(o, '}');
}

static void
put_reference(struct out *o, struct parts *parts, struct out *text)
{
	put_number(o, parts, part(parts, out_keep(text, parts->arena)));
}

enum { TEXTS = 1 << FIELDS_TEXT | 1 << FIELDS_NAME | 1 << FIELDS_LOOSE };

/* Writes the pattern of a text that stands for a value of another kind. */
static void
put_pattern(struct out *o, unsigned kinds)
{
	if ((kinds & FIELDS_ASIDE) == 0 || kinds & TEXTS)
		return;
	out_member_str(o, "pattern",
	    kinds & 1U << FIELDS_TEMPLATE ? STR("^(file://|package:)|\\{[{%#]")
					  : STR("^file://"));
}

static void
put_type(struct out *o, unsigned kinds, bool null)
{
	static const struct {
		const char *type;
		unsigned kinds;
	} types[] = {
		{ "string", TEXTS | FIELDS_ASIDE },
		{ "number",
		    1 << FIELDS_NAME | 1 << FIELDS_LOOSE | 1 << FIELDS_SCALAR |
			1 << FIELDS_NUMBER | 1 << FIELDS_INT },
		{ "boolean",
		    1 << FIELDS_LOOSE | 1 << FIELDS_SCALAR | 1 << FIELDS_BOOL },
		{ "array", 1 << FIELDS_LIST },
		{ "object", 1 << FIELDS_OBJECT },
	};

	out_key(o, "type");
	out_begin(o, '[');
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (kinds & types[i].kinds)
			out_json_str(o, str_of(types[i].type));
	if (null)
		out_json_str(o, STR("null"));
	out_end(o, ']');
}

static bool
is_required(const struct member *m)
{
	return m->needed != 0 && m->needed == m->absent;
}

/* Writes the members of an object's schema. A member that is not required may be
 * null, which readers treat as missing. */
static void
put_members(struct out *o, struct parts *parts, const struct node *node)
{
	out_member_begin(o, "properties", '{');
	for (size_t i = 0; i < node->n; i++) {
		const struct member *m = &node->members[i];

		out_key_str(o, str_of(m->key));
		put_node(o, parts, m->node, !is_required(m));
	}
	out_end(o, '}');
	out_member_begin(o, "required", '[');
	for (size_t i = 0; i < node->n; i++)
		if (is_required(&node->members[i]))
			out_json_str(o, str_of(node->members[i].key));
	out_end(o, ']');
}

static void
put_required(struct out *o, struct str key)
{
	out_member_begin(o, "required", '[');
	out_json_str(o, key);
	out_end(o, ']');
}

/* Writes the condition that an object has a member: KEY, or in an element of a list
 * LIST[].KEY. */
static void
put_has(struct out *o, struct str key)
{
	static const struct str element = STR_CONST("[].");
	size_t at = str_find(key, element.s);

	if (at == key.n) {
		put_required(o, key);
		return;
	}
	put_required(o, str_slice(key, 0, at));
	out_member_begin(o, "properties", '{');
	out_key_str(o, str_slice(key, 0, at));
	out_begin(o, '{');
	out_member_str(o, "type", STR("array"));
	out_member_begin(o, "contains", '{');
	out_member_str(o, "type", STR("object"));
	put_required(o, str_from(key, at + element.n));
	out_end(o, '}');
	out_end(o, '}');
	out_end(o, '}');
}

/* Returns the beginning of types that are all read alike and end with '*' in a
 * form's name; absent: the name is that of one type. */
static struct str
beginning(const char *name)
{
	struct str text = str_of(name);

	return str_ends(text, "*") ? str_slice(text, 0, text.n - 1)
				   : (struct str){ 0 };
}

/* Writes that a text begins so; no character is special in patterns. */
static void
put_beginning(struct out *o, struct parts *parts, struct str text)
{
	out_member_str(o, "pattern", str_cat(parts->arena, STR("^"), text));
}

/* Writes the condition that an object is of a type. */
static void
put_is(struct out *o, struct parts *parts, const char *key, const char *type)
{
	put_required(o, str_of(key));
	out_member_begin(o, "properties", '{');
	out_key_str(o, str_of(key));
	out_begin(o, '{');
	if (beginning(type).s != NULL)
		put_beginning(o, parts, beginning(type));
	else
		out_member_str(o, "const", str_of(type));
	out_end(o, '}');
	out_end(o, '}');
}

static void
put_then(struct out *o, struct parts *parts, const struct node *node)
{
	struct out text;

	out_key(o, "then");
	out_open_memory(&text);
	out_begin(&text, '{');
	put_members(&text, parts, node);
	out_end(&text, '}');
	put_reference(o, parts, &text);
}

/* Writes, for each type, what an object of the type must be. */
static void
put_types(struct out *o, struct parts *parts, const struct node *node)
{
	for (size_t i = 0; i < node->ntypes; i++) {
		out_begin(o, '{');
		out_member_begin(o, "if", '{');
		put_is(o, parts, node->type_key, node->types[i].name);
		out_end(o, '}');
		put_then(o, parts, node->types[i].node);
		out_end(o, '}');
	}
	for (size_t i = 0; i < node->nnamed; i++) {
		out_begin(o, '{');
		out_member_begin(o, "properties", '{');
		out_key_str(o, str_of(node->named[i].name));
		put_node(o, parts, node->named[i].node, false);
		out_end(o, '}');
		out_end(o, '}');
	}
}

static void
put_enum(struct out *o, const struct node *node)
{
	out_member_begin(o, "enum", '[');
	for (size_t i = 0; i < node->ntypes; i++)
		if (beginning(node->types[i].name).s == NULL)
			out_json_str(o, str_of(node->types[i].name));
	for (size_t i = 0; i < node->nnamed; i++)
		out_json_str(o, str_of(node->named[i].name));
	out_end(o, ']');
}

/* Writes that a text is one of the types, or begins like some. */
static void
put_type_name(struct out *o, struct parts *parts, const struct node *node)
{
	size_t n = 0;

	for (size_t i = 0; i < node->ntypes; i++)
		n += beginning(node->types[i].name).s != NULL;
	out_begin(o, '{');
	if (n != 0) {
		out_member_begin(o, "anyOf", '[');
		out_begin(o, '{');
	}
	put_enum(o, node);
	for (size_t i = 0; i < node->ntypes; i++)
		if (beginning(node->types[i].name).s != NULL) {
			out_end(o, '}');
			out_begin(o, '{');
			put_beginning(o, parts, beginning(node->types[i].name));
		}
	if (n != 0) {
		out_end(o, '}');
		out_end(o, ']');
	}
	out_end(o, '}');
}

/* Writes the names of the types, for editors to offer. */
static void
put_names(struct out *o, struct parts *parts, const struct node *node)
{
	out_member_begin(o, "properties", '{');
	out_key_str(o, str_of(node->type_key));
	put_type_name(o, parts, node);
	out_end(o, '}');
}

static void
put_variants(struct out *o, struct parts *parts, const struct node *node)
{
	struct out text;

	out_member_begin(o, "allOf", '[');
	out_open_memory(&text);
	out_begin(&text, '{');
	if (node->type_key != NULL)
		put_names(&text, parts, node);
	out_member_begin(&text, "allOf", '[');
	put_types(&text, parts, node);
	out_end(&text, ']');
	out_end(&text, '}');
	put_reference(o, parts, &text);
	out_end(o, ']');
}

static void
put_list(struct out *o, struct parts *parts, const struct node *node)
{
	if (!node->texts && node->element == NULL)
		return;
	out_key(o, "items");
	if (node->texts) {
		out_begin(o, '{');
		out_member_str(o, "type", STR("string"));
		out_end(o, '}');
	} else {
		put_node(o, parts, node->element, false);
	}
}

/* Returns the kinds of the node, of which "any" counts only if there is no
 * other. */
static unsigned
kinds_of(const struct node *node)
{
	unsigned kinds = node->kinds & ~(1U << FIELDS_ANY);

	if (node->kinds == 0 && node->opened)
		kinds |= 1U << FIELDS_OBJECT;
	if (node->kinds == 0 && (node->texts || node->element != NULL))
		kinds |= 1U << FIELDS_LIST;
	return (kinds & ~FIELDS_ASIDE) == 0 ? 0 : kinds;
}

/* Writes the members of a value's schema. */
static void
put_value(
    struct out *o, struct parts *parts, const struct node *node, bool null)
{
	unsigned kinds = kinds_of(node);

	if (kinds != 0) {
		put_type(o, kinds, null);
		put_pattern(o, kinds);
	}
	put_list(o, parts, node);
	if (node->ntypes + node->nnamed != 0)
		put_variants(o, parts, node);
	if (node->opened || kinds & 1U << FIELDS_OBJECT)
		put_members(o, parts, node);
}

/* Writes the schema of a value, or of a reference in its place. */
static void
put_own(struct out *o, struct parts *parts, const struct node *node, bool null)
{
	bool reference = kinds_of(node) & 1U << FIELDS_REFERENCE;

	out_begin(o, '{');
	if (reference) {
		out_member_begin(o, "if", '{');
		out_member_str(o, "type", STR("object"));
		put_required(o, STR("$ref"));
		out_end(o, '}');
		out_member_begin(o, "else", '{');
	}
	put_value(o, parts, node, null);
	if (reference)
		out_end(o, '}');
	out_end(o, '}');
}

/* Writes a reference to the part of a shared node, which may refer to itself. */
static void
put_shared(struct out *o, struct parts *parts, struct node *node)
{
	struct out text;

	if (node->part == 0) {
		(void)arena_push(parts->arena, parts->texts, parts->n);
		node->part = parts->n;
		out_open_memory(&text);
		put_own(&text, parts, node, false);
		parts->texts[node->part - 1] = out_keep(&text, parts->arena);
	}
	put_number(o, parts, node->part - 1);
}

static void
put_node(struct out *o, struct parts *parts, const struct node *node, bool null)
{
	if (node->same == NULL) {
		put_own(o, parts, node, null);
		return;
	}
	if (!null) {
		put_shared(o, parts, node->same);
		return;
	}
	out_begin(o, '{');
	out_member_begin(o, "anyOf", '[');
	put_shared(o, parts, node->same);
	out_begin(o, '{');
	out_member_str(o, "type", STR("null"));
	out_end(o, '}');
	out_end(o, ']');
	out_end(o, '}');
}

/* ---- the file ---- */

static void
put_shape(struct out *o, struct parts *parts, const struct shape *s)
{
	struct str keys = str_of(s->keys);

	out_member_begin(o, "if", '{');
	out_member_begin(o, "anyOf", '[');
	while (keys.n != 0) {
		out_begin(o, '{');
		put_has(o, str_cut(&keys, ' '));
		out_end(o, '}');
	}
	out_end(o, ']');
	out_end(o, '}');
	out_key(o, "then");
	put_node(o, parts, s->node, false);
}

/* Writes a choice among the shapes of lists or of single values: the first whose
 * key is there. */
static void
put_shapes(struct out *o, struct parts *parts, const struct shape *s, bool list)
{
	while (s->keys != NULL && s->list != list)
		s++;
	if (s->keys == NULL) {
		out_json_bool(o, true);
		return;
	}
	if (*s->keys == '\0') {
		put_node(o, parts, s->node, false);
		return;
	}
	out_begin(o, '{');
	put_shape(o, parts, s);
	out_key(o, "else");
	put_shapes(o, parts, s + 1, list);
	out_end(o, '}');
}

static void
put_definitions(struct out *o, const struct parts *parts)
{
	out_member_begin(o, "definitions", '{');
	for (size_t i = 0; i < parts->n; i++) {
		out_key_str(o, str_printf(parts->arena, "part-%zu", i));
		out_json_raw(o, parts->texts[i]);
	}
	out_end(o, '}');
}

bool
schema_of_dialect(struct out *o, const struct dialect *d)
{
	struct arena a = { 0 };
	struct parts parts = { .arena = &a };
	struct shape *shapes = shapes_of(&a, d);

	if (shapes == NULL)
		return false;
	for (struct shape *s = shapes; s->keys != NULL; s++)
		shape_probe(&a, d, s);
	out_begin(o, '{');
	out_member_str(
	    o, "$schema", STR("http://json-schema.org/draft-07/schema#"));
	out_member_str(o, "title", str_of(d->what));
	out_member_begin(o, "if", '{');
	out_member_str(o, "type", STR("array"));
	out_end(o, '}');
	out_member_begin(o, "then", '{');
	out_key(o, "items");
	put_shapes(o, &parts, shapes, true);
	out_end(o, '}');
	out_key(o, "else");
	put_shapes(o, &parts, shapes, false);
	put_definitions(o, &parts);
	out_end(o, '}');
	out_line(o);
	arena_free(&a);
	return true;
}
