#include "emulate/jsonpath/script_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>

#include "emulate/jsonpath/property.h"
#include "emulate/lang/js.h"

struct value
script_value_undefined(void)
{
	return (struct value){ .type = VALUE_UNDEFINED };
}

struct value
script_value_boolean(bool boolean)
{
	return (struct value){ .type = VALUE_BOOLEAN, .boolean = boolean };
}

struct value
script_value_number(double number)
{
	return (struct value){ .type = VALUE_NUMBER, .number = number };
}

struct value
script_value_text(struct str text)
{
	return (struct value){ .type = VALUE_TEXT, .text = text };
}

struct value
script_value_json(struct path_run *run, const struct json *v)
{
	if (v == NULL)
		return script_value_undefined();
	switch (v->type) {
	case JSON_NULL:
		return (struct value){ .type = VALUE_NULL };
	case JSON_FALSE:
	case JSON_TRUE:
		return script_value_boolean(v->type == JSON_TRUE);
	case JSON_NUMBER:
		return script_value_number(json_double(v));
	case JSON_STRING:
		return script_value_text(json_text(v, run->arena));
	default:
		return (struct value){ .type = VALUE_JSON, .json = v };
	}
}

/* ---- lists ---- */

const struct value *
script_value_items(struct path_run *run, const struct value *v, size_t *n)
{
	struct value *items = NULL;

	*n = 0;
	if (v->type == VALUE_LIST) {
		*n = v->n;
		return v->items;
	}
	if (v->type != VALUE_JSON)
		return NULL;
	for (json_each(element, v->json)) {
		if (!jsonpath_spend(run, VALUE_WORK))
			break;
		*arena_push(run->arena, items, *n) =
		    script_value_json(run, element);
	}
	return items;
}

bool
script_value_is_list(const struct value *v)
{
	return v->type == VALUE_LIST ||
	    (v->type == VALUE_JSON && json_is(v->json, JSON_ARRAY));
}

struct value
script_value_member(
    struct path_run *run, const struct value *v, struct str name)
{
	struct path_node node = { 0 }, child;
	double index;

	if (v->type == VALUE_LIST) {
		if (str_is(name, "length"))
			return script_value_number((double)v->n);
		if (js_to_number(name, &index, run->arena) && index >= 0 &&
		    index < (double)v->n && index == floor(index))
			return v->items[(size_t)index];
		return script_value_undefined();
	}
	if (v->type == VALUE_TEXT && v->text.n == 0 && str_is(name, "length"))
		return script_value_number(0);
	if (v->type == VALUE_TEXT)
		node.value = jsonpath_new_text(run->arena, v->text);
	else if (v->type == VALUE_JSON)
		node.value = v->json;
	if (!jsonpath_property(run, &node, name, &child))
		return script_value_undefined();
	return script_value_json(run, child.value);
}

/* ---- conversions ---- */

bool
script_value_is_true(const struct value *v)
{
	switch (v->type) {
	case VALUE_UNDEFINED:
	case VALUE_NULL:
		return false;
	case VALUE_BOOLEAN:
		return v->boolean;
	case VALUE_NUMBER:
		return v->number != 0 && !isnan(v->number);
	case VALUE_TEXT:
		return v->text.n > 0;
	default:
		return true;
	}
}

static struct str
join(struct path_run *run, const struct value *v)
{
	size_t n;
	const struct value *items = script_value_items(run, v, &n);
	struct str *texts = arena_new_n(run->arena, struct str, n);

	for (size_t i = 0; i < n && jsonpath_spend(run, 1); i++)
		texts[i] = items[i].type == VALUE_UNDEFINED ||
			items[i].type == VALUE_NULL
		    ? STR("")
		    : script_value_to_text(run, &items[i]);
	return str_join(run->arena, texts, n, STR(","));
}

struct str
script_value_to_text(struct path_run *run, const struct value *v)
{
	char buf[JS_NUMBER_SIZE];

	switch (v->type) {
	case VALUE_UNDEFINED:
		return STR("undefined");
	case VALUE_NULL:
		return STR("null");
	case VALUE_BOOLEAN:
		return v->boolean ? STR("true") : STR("false");
	case VALUE_NUMBER:
		if (fabs(v->number) < 0x1p53 && v->number == trunc(v->number))
			return str_printf(
			    run->arena, "%" PRId64, (int64_t)v->number);
		jsonpath_spend(run, VALUE_FRACTION_WORK);
		return str_dup(run->arena, js_number(v->number, buf));
	case VALUE_TEXT:
		return v->text;
	case VALUE_REGEX:
		return str_printf(run->arena, "/%.*s/", STR_FMT(v->text));
	default:
		return script_value_is_list(v) ? join(run, v)
					       : STR("[object Object]");
	}
}

double
script_value_to_number(struct path_run *run, const struct value *v)
{
	double number;

	switch (v->type) {
	case VALUE_UNDEFINED:
		return NAN;
	case VALUE_NULL:
		return 0;
	case VALUE_BOOLEAN:
		return v->boolean;
	case VALUE_NUMBER:
		return v->number;
	default:
		if (!js_to_number(
			script_value_to_text(run, v), &number, run->arena))
			return NAN;
		return number;
	}
}

int32_t
script_value_to_int32(struct path_run *run, const struct value *v)
{
	double number = script_value_to_number(run, v);

	if (!isfinite(number))
		return 0;
	number = fmod(trunc(number), 0x1p32);
	if (number < 0)
		number += 0x1p32;
	return (int32_t)(uint32_t)number;
}

const char *
script_value_typeof(const struct value *v)
{
	static const char *const names[] = { "undefined", "object", "boolean",
		"number", "string", "object", "object", "object" };

	return names[v->type];
}

struct str
script_value_arg(
    struct path_run *run, const struct value *args, size_t n, size_t i)
{
	return i < n ? script_value_to_text(run, &args[i]) : STR("undefined");
}

/* ---- comparisons ---- */

bool
script_value_same(const struct value *a, const struct value *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case VALUE_BOOLEAN:
		return a->boolean == b->boolean;
	case VALUE_NUMBER:
		return a->number == b->number;
	case VALUE_TEXT:
		return str_eq(a->text, b->text);
	case VALUE_JSON:
		return a->json == b->json;
	case VALUE_LIST:
		return a->n > 0 && a->items == b->items;
	case VALUE_REGEX:
		return a->regex == b->regex;
	default:
		return true;
	}
}

static bool
is_object(const struct value *v)
{
	return v->type >= VALUE_JSON;
}

static bool
is_nothing(const struct value *v)
{
	return v->type == VALUE_UNDEFINED || v->type == VALUE_NULL;
}

/* Implements ECMA-262's IsLooselyEqual. */
bool
script_value_equal(
    struct path_run *run, const struct value *a, const struct value *b)
{
	struct value primitive;

	if (is_nothing(a) || is_nothing(b))
		return is_nothing(a) && is_nothing(b);
	if (a->type == b->type || (is_object(a) && is_object(b)))
		return script_value_same(a, b);
	if (is_object(a)) {
		primitive = script_value_text(script_value_to_text(run, a));
		return script_value_equal(run, &primitive, b);
	}
	if (is_object(b)) {
		primitive = script_value_text(script_value_to_text(run, b));
		return script_value_equal(run, a, &primitive);
	}
	return script_value_to_number(run, a) == script_value_to_number(run, b);
}

/* Compares by UTF-16 code units: bytes that begin a character beyond U+FFFF
 * represent surrogates, which are less than U+E000. */
static int
compare_units(struct str a, struct str b)
{
	size_t least = a.n < b.n ? a.n : b.n, i = 0;
	unsigned char x, y;

	while (i < least && a.s[i] == b.s[i])
		i++;
	if (i == least)
		return (a.n > b.n) - (a.n < b.n);
	x = (unsigned char)a.s[i];
	y = (unsigned char)b.s[i];
	if (x >= 0xee && y >= 0xee && (x >= 0xf0) != (y >= 0xf0))
		return x >= 0xf0 ? -1 : 1;
	return x < y ? -1 : 1;
}

bool
script_value_less(struct path_run *run, const struct value *a,
    const struct value *b, bool or_equal)
{
	bool texts = (is_object(a) || a->type == VALUE_TEXT) &&
	    (is_object(b) || b->type == VALUE_TEXT);

	if (texts) {
		int order = compare_units(
		    script_value_to_text(run, a), script_value_to_text(run, b));

		return or_equal ? order <= 0 : order < 0;
	}
	return or_equal
	    ? script_value_to_number(run, a) <= script_value_to_number(run, b)
	    : script_value_to_number(run, a) < script_value_to_number(run, b);
}
