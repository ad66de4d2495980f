/* The values of JMESPath: those of a document, and those that an expression
 * creates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/jmespath/tree.h"
#include "emulate/lang/js.h"
#include "io/out.h"
#include "text/unicode.h"

const struct jmespath_value *
jmespath_of(struct jmespath_run *run, const struct json *json)
{
	struct jmespath_value *v = arena_new(run->arena, struct jmespath_value);

	v->json = json;
	return v;
}

static struct json *
scalar(struct jmespath_run *run, enum json_type type, struct str text)
{
	struct json *json = arena_new(run->arena, struct json);

	*json = (struct json){ .text = text, .span = 1, .type = (uint8_t)type };
	return json;
}

const struct jmespath_value *
jmespath_null(struct jmespath_run *run)
{
	return jmespath_of(run, scalar(run, JSON_NULL, STR("null")));
}

const struct jmespath_value *
jmespath_bool(struct jmespath_run *run, bool value)
{
	return jmespath_of(run,
	    value ? scalar(run, JSON_TRUE, STR("true"))
		  : scalar(run, JSON_FALSE, STR("false")));
}

const struct jmespath_value *
jmespath_number(struct jmespath_run *run, double value)
{
	struct out o;

	if (!isfinite(value))
		return jmespath_null(run);
	out_open_memory(&o);
	out_json_double(&o, value);
	return jmespath_of(
	    run, scalar(run, JSON_NUMBER, out_keep(&o, run->arena)));
}

const struct jmespath_value *
jmespath_string(struct jmespath_run *run, struct str text)
{
	struct json *json =
	    scalar(run, JSON_STRING, out_quote(run->arena, text));

	if (str_find_char(json->text, '\\') < json->text.n)
		json->flags = JSON_ESCAPED;
	return jmespath_of(run, json);
}

const struct jmespath_value *
jmespath_list(struct jmespath_run *run, struct jmespath_item *items, size_t n)
{
	struct jmespath_value *v = arena_new(run->arena, struct jmespath_value);

	v->type = JSON_ARRAY;
	v->items = items;
	v->n = n;
	return v;
}

int
jmespath_type(const struct jmespath_value *v)
{
	int type = v->json != NULL ? v->json->type : (int)v->type;

	return type == JSON_FALSE ? JSON_TRUE : type;
}

bool
jmespath_truth(const struct jmespath_value *v)
{
	if (v->json == NULL)
		return v->ref != NULL || v->n != 0;
	switch (v->json->type) {
	case JSON_NULL:
	case JSON_FALSE:
		return false;
	case JSON_STRING:
		return v->json->text.n > 2;
	case JSON_ARRAY:
	case JSON_OBJECT:
		return json_first(v->json) != NULL;
	default:
		return true;
	}
}

struct jmespath_value
jmespath_open(struct jmespath_run *run, const struct jmespath_value *v)
{
	struct jmespath_value open = { .type =
					   (enum json_type)jmespath_type(v) };

	if (v->json == NULL)
		return *v;
	for (json_each(item, v->json))
		arena_push(run->arena, open.items, open.n)->value =
		    jmespath_of(run, item);
	for (json_members(key, v->json))
		*arena_push(run->arena, open.items, open.n) =
		    (struct jmespath_item){ json_text(key, run->arena),
			    jmespath_of(run, json_value(key)) };
	return open;
}

/* Writes the value compactly, whatever white space the document has. */
static void
write_value(
    struct jmespath_run *run, struct out *o, const struct jmespath_value *v)
{
	struct jmespath_value open = jmespath_open(run, v);
	bool object = open.type == JSON_OBJECT;

	if (v->json != NULL && !object && open.type != JSON_ARRAY) {
		out_json_raw(o, v->json->text);
		return;
	}
	out_begin(o, object ? '{' : '[');
	for (size_t i = 0; i < open.n; i++) {
		if (object)
			out_key_str(o, open.items[i].key);
		write_value(run, o, open.items[i].value);
	}
	out_end(o, object ? '}' : ']');
}

static struct str
written(struct jmespath_run *run, const struct jmespath_value *v,
    void (*write)(
	struct jmespath_run *, struct out *, const struct jmespath_value *))
{
	struct out o;

	out_open_memory(&o);
	write(run, &o, v);
	return out_keep(&o, run->arena);
}

/* ---- as Go writes it ---- */

static void
escape(struct out *o, uint32_t c)
{
	static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";
	const char *known = c < 0x80 && c != 0 ? strchr(from, (int)c) : NULL;

	if (known != NULL)
		out_printf(o, "\\%c", to[known - from]);
	else
		out_printf(o, "\\u%04x", (unsigned)c);
}

/* Escapes a text as Go does, without the quotes. */
static struct str
escaped(struct arena *a, struct str text)
{
	struct out o;

	out_open_memory(&o);
	for (size_t n; text.n > 0; text = str_from(text, n)) {
		uint32_t c = unicode_decode(text, &n);

		if (c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' ||
		    c == '&' || c == 0x2028 || c == 0x2029)
			escape(&o, c);
		else
			out_str(&o, str_slice(text, 0, n));
	}
	return out_keep(&o, a);
}

static int
by_key(const void *a, const void *b)
{
	const struct jmespath_item *x = a, *y = b;
	int order = str_cmp(x->key, y->key);

	/* The last of a document's equal keys counts. */
	return order != 0 ? order
			  : (x->value->json > y->value->json) -
		(x->value->json < y->value->json);
}

static void
marshal_scalar(
    struct jmespath_run *run, struct out *o, const struct json *scalar)
{
	char digits[JS_NUMBER_SIZE];
	double number = json_double(scalar);

	if (json_is(scalar, JSON_STRING))
		out_body(o, escaped(run->arena, json_text(scalar, run->arena)));
	else if (json_is(scalar, JSON_NUMBER) && isfinite(number))
		out_json_raw(o,
		    number == 0 && signbit(number) ? STR("-0")
						   : js_number(number, digits));
	else
		out_json_raw(o, scalar->text);
}

static void
marshal(struct jmespath_run *run, struct out *o, const struct jmespath_value *v)
{
	struct jmespath_value open = jmespath_open(run, v);
	bool object = open.type == JSON_OBJECT;

	if (v->json != NULL && !object && open.type != JSON_ARRAY) {
		marshal_scalar(run, o, v->json);
		return;
	}
	if (object && open.n > 0)
		qsort(open.items, open.n, sizeof *open.items, by_key);
	out_begin(o, object ? '{' : '[');
	for (size_t i = 0; i < open.n; i++) {
		if (object && i + 1 < open.n &&
		    str_eq(open.items[i].key, open.items[i + 1].key))
			continue;
		if (object)
			out_key_body(o, escaped(run->arena, open.items[i].key));
		marshal(run, o, open.items[i].value);
	}
	out_end(o, object ? '}' : ']');
}

struct str
jmespath_marshal(struct jmespath_run *run, const struct jmespath_value *v)
{
	return written(run, v, marshal);
}

const struct json *
jmespath_json(struct jmespath_run *run, const struct jmespath_value *v)
{
	return v->json != NULL
	    ? v->json
	    : json_parse(run->arena, written(run, v, write_value));
}

bool
jmespath_equal(struct jmespath_run *run, const struct jmespath_value *a,
    const struct jmespath_value *b)
{
	return json_equal(jmespath_json(run, a), jmespath_json(run, b));
}

const struct jmespath_value *
jmespath_fail(
    struct jmespath_run *run, const struct jmespath_node *n, const char *why)
{
	if (!run->failed)
		run->error = (struct jmespath_error){ n->offset, str_of(why) };
	run->failed = true;
	return jmespath_null(run);
}
