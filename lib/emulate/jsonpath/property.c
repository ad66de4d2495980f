#include "emulate/jsonpath/property.h"

#include <math.h>

/* ---- UTF-16 ---- */

/* Returns the number of code units of the character that begins with this byte;
 * 0 for other bytes. */
static size_t
units_of(char first)
{
	unsigned char c = (unsigned char)first;

	return c >= 0xf0 ? 2 : (c & 0xc0) != 0x80;
}

size_t
jsonpath_units(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += units_of(text.s[i]);
	return n;
}

/* Returns the offset where that number of units ends; *half is set if this is
 * within a pair, which begins at the offset. */
static size_t
unit_offset(struct str text, size_t units, bool *half)
{
	size_t i = 0;

	while (i < text.n && units_of(text.s[i]) <= units)
		units -= units_of(text.s[i++]);
	*half = units > 0 && i < text.n;
	return i;
}

struct str
jsonpath_cut_units(struct arena *a, struct str text, size_t from, size_t to)
{
	const struct str pair = STR("\xef\xbf\xbd");
	bool half_first, half_last;
	size_t start = unit_offset(text, from, &half_first);
	size_t end = unit_offset(text, to, &half_last);

	if (from >= to)
		return STR("");
	start += half_first ? 4 : 0;
	if (!half_first && !half_last)
		return str_slice(text, start, end);
	return str_printf(a, "%.*s%.*s%.*s",
	    STR_FMT(half_first ? pair : STR("")),
	    STR_FMT(str_slice(text, start, end)),
	    STR_FMT(half_last ? pair : STR("")));
}

/* ---- properties ---- */

/* Reads an array index as JavaScript writes it: no sign, no leading zero. */
static bool
array_index(struct str name, size_t *index)
{
	*index = 0;
	if (name.n == 0 || name.n > 15 || (name.n > 1 && *name.s == '0'))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		if (name.s[i] < '0' || name.s[i] > '9')
			return false;
		*index = *index * 10 + (size_t)(name.s[i] - '0');
	}
	return true;
}

static const struct json *
text_property(
    struct path_run *run, const struct json *v, struct str name, size_t *index)
{
	struct str text = json_text(v, run->arena);

	jsonpath_spend(run, text.n / 16);
	/* jsonpath-plus finds no properties on an empty text. */
	if (text.n == 0)
		return NULL;
	if (str_is(name, "length"))
		return jsonpath_new_number(
		    run->arena, (double)jsonpath_units(text));
	if (!array_index(name, index) || *index >= jsonpath_units(text))
		return NULL;
	return jsonpath_new_text(run->arena,
	    jsonpath_cut_units(run->arena, text, *index, *index + 1));
}

static const struct json *
list_property(
    struct path_run *run, const struct json *v, struct str name, size_t *index)
{
	if (str_is(name, "length")) {
		jsonpath_spend(run, json_count(v));
		return jsonpath_new_number(run->arena, (double)json_count(v));
	}
	if (!array_index(name, index) || !jsonpath_spend(run, *index))
		return NULL;
	return json_at(v, *index);
}

bool
jsonpath_property(struct path_run *run, const struct path_node *node,
    struct str name, struct path_node *child)
{
	*child = (struct path_node){
		.parent = node, .name = name, .literal_first = true
	};
	if (json_is(node->value, JSON_OBJECT)) {
		child->key = jsonpath_member(run, node->value, name);
		child->value = json_value(child->key);
	} else if (json_is(node->value, JSON_ARRAY)) {
		child->value =
		    list_property(run, node->value, name, &child->index);
	} else if (json_is(node->value, JSON_STRING)) {
		child->value =
		    text_property(run, node->value, name, &child->index);
	}
	return child->value != NULL;
}

const struct json *
jsonpath_key(struct path_run *run, const struct path_node *node)
{
	static const struct json nothing = { { "null", 4 }, 1, JSON_NULL, 0 };

	if (node->parent == NULL || node->nameless)
		return &nothing;
	if (node->key != NULL)
		return node->key;
	if (node->name.s != NULL)
		return jsonpath_new_text(run->arena, node->name);
	return jsonpath_new_number(run->arena, (double)node->index);
}

/* ---- types ---- */

static bool
is_container(const struct json *v)
{
	return json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT);
}

static bool
is_boolean(const struct json *v)
{
	return json_is(v, JSON_TRUE) || json_is(v, JSON_FALSE);
}

static bool
is_null(const struct json *v)
{
	return json_is(v, JSON_NULL);
}

static bool
is_text(const struct json *v)
{
	return json_is(v, JSON_STRING);
}

static bool
is_list(const struct json *v)
{
	return json_is(v, JSON_ARRAY);
}

static bool
is_finite(const struct json *v)
{
	return isfinite(json_double(v));
}

/* Returns whether the number is beyond what a double holds, such as 1e999. */
static bool
is_infinite(const struct json *v)
{
	return isinf(json_double(v));
}

static bool
is_integer(const struct json *v)
{
	return is_finite(v) && json_double(v) == trunc(json_double(v));
}

static bool
is_scalar(const struct json *v)
{
	return !is_container(v);
}

static bool
is_never(const struct json *v)
{
	(void)v;
	return false;
}

static const struct path_type types[] = {
	{ "array", is_list },
	{ "boolean", is_boolean },
	{ "function", is_never },
	{ "integer", is_integer },
	{ "nonFinite", is_infinite },
	{ "null", is_null },
	{ "number", is_finite },
	{ "object", is_container },
	{ "scalar", is_scalar },
	{ "string", is_text },
	{ "undefined", is_never },
};

const struct path_type *
jsonpath_type(struct str name)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (str_is(name, types[i].name))
			return &types[i];
	return NULL;
}
