/* JMESPath's built-in functions, and a table of their names, argument types and
 * code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "emulate/jmespath/tree.h"
#include "io/out.h"

/* The types that an argument may have, one bit each. */
enum {
	NUMBER = 1 << JSON_NUMBER,
	STRING = 1 << JSON_STRING,
	ARRAY = 1 << JSON_ARRAY,
	OBJECT = 1 << JSON_OBJECT,
	REFERENCE = 1, /* &expression */
	ANY =
	    NUMBER | STRING | ARRAY | OBJECT | 1 << JSON_NULL | 1 << JSON_TRUE,
	NUMBERS = 1 << 8, /* an array of numbers only */
	STRINGS = 1 << 9, /* an array of strings only */
	/* this type, once or more; only for the last parameter */
	VARIADIC = 1 << 10,
	ARGS_MAX = 2,
};

/* ---- helpers ---- */

/* A call of a function whose arguments have the right types. */
struct call {
	struct jmespath_run *run;
	const struct jmespath_node *node;
	const struct jmespath_value **args;
	size_t n;
};

static struct jmespath_value
open_arg(struct call *c, size_t i)
{
	return jmespath_open(c->run, c->args[i]);
}

static double
number_arg(struct call *c, size_t i)
{
	return json_double(c->args[i]->json);
}

static struct str
text_of(struct call *c, const struct jmespath_value *v)
{
	return json_text(v->json, c->run->arena);
}

/* Returns the number of bytes of the character at the start of a UTF-8 text. */
static size_t
character(struct str text)
{
	size_t n = 1;

	while (n < text.n && utf8_is_within(text.s[n]))
		n++;
	return n;
}

/* ---- numbers ---- */

static const struct jmespath_value *
f_abs(struct call *c)
{
	return jmespath_number(c->run, fabs(number_arg(c, 0)));
}

static const struct jmespath_value *
f_ceil(struct call *c)
{
	return jmespath_number(c->run, ceil(number_arg(c, 0)));
}

static const struct jmespath_value *
f_floor(struct call *c)
{
	return jmespath_number(c->run, floor(number_arg(c, 0)));
}

static double
total(const struct jmespath_value *list)
{
	double sum = 0;

	for (size_t i = 0; i < list->n; i++)
		sum += json_double(list->items[i].value->json);
	return sum;
}

static const struct jmespath_value *
f_sum(struct call *c)
{
	struct jmespath_value list = open_arg(c, 0);

	return jmespath_number(c->run, total(&list));
}

static const struct jmespath_value *
f_avg(struct call *c)
{
	struct jmespath_value list = open_arg(c, 0);

	return list.n == 0
	    ? jmespath_null(c->run)
	    : jmespath_number(c->run, total(&list) / (double)list.n);
}

/* ---- text ---- */

static const struct jmespath_value *
f_starts_with(struct call *c)
{
	return jmespath_bool(
	    c->run, str_starts(text_of(c, c->args[0]), text_of(c, c->args[1])));
}

static const struct jmespath_value *
f_ends_with(struct call *c)
{
	return jmespath_bool(
	    c->run, str_ends(text_of(c, c->args[0]), text_of(c, c->args[1])));
}

static const struct jmespath_value *
f_contains(struct call *c)
{
	struct jmespath_value list = open_arg(c, 0);

	if (jmespath_type(c->args[0]) == JSON_STRING)
		return jmespath_bool(c->run,
		    jmespath_type(c->args[1]) == JSON_STRING &&
			str_contains(
			    text_of(c, c->args[0]), text_of(c, c->args[1])));
	for (size_t i = 0; i < list.n; i++)
		if (jmespath_equal(c->run, list.items[i].value, c->args[1]))
			return jmespath_bool(c->run, true);
	return jmespath_bool(c->run, false);
}

static const struct jmespath_value *
f_join(struct call *c)
{
	struct jmespath_value list = open_arg(c, 1);
	struct str *texts = arena_new_n(c->run->arena, struct str, list.n);

	for (size_t i = 0; i < list.n; i++)
		texts[i] = text_of(c, list.items[i].value);
	return jmespath_string(c->run,
	    str_join(c->run->arena, texts, list.n, text_of(c, c->args[0])));
}

static const struct jmespath_value *
reverse_text(struct call *c)
{
	struct str text = text_of(c, c->args[0]);
	struct str *parts = NULL;
	size_t n = 0;

	for (size_t at = 0; at < text.n; at += parts[n - 1].n)
		*arena_push(c->run->arena, parts, n) =
		    str_slice(text, at, at + character(str_from(text, at)));
	for (size_t i = 0; i < n / 2; i++) {
		struct str other = parts[i];

		parts[i] = parts[n - 1 - i];
		parts[n - 1 - i] = other;
	}
	return jmespath_string(
	    c->run, str_join(c->run->arena, parts, n, (struct str){ 0 }));
}

static const struct jmespath_value *
f_reverse(struct call *c)
{
	struct jmespath_value list = open_arg(c, 0);
	struct jmespath_item *items;

	if (jmespath_type(c->args[0]) == JSON_STRING)
		return reverse_text(c);
	items = arena_new_n(c->run->arena, struct jmespath_item, list.n);
	for (size_t i = 0; i < list.n; i++)
		items[i] = list.items[list.n - 1 - i];
	return jmespath_list(c->run, items, list.n);
}

static const struct jmespath_value *
f_length(struct call *c)
{
	struct jmespath_value list = open_arg(c, 0);
	struct str text = text_of(c, c->args[0]);

	return jmespath_number(c->run, (double)(list.n + str_characters(text)));
}

/* ---- objects ---- */

static const struct jmespath_value *
f_keys(struct call *c)
{
	struct jmespath_value object = open_arg(c, 0);
	struct jmespath_item *items =
	    arena_new_n(c->run->arena, struct jmespath_item, object.n);

	for (size_t i = 0; i < object.n; i++)
		items[i].value = jmespath_string(c->run, object.items[i].key);
	return jmespath_list(c->run, items, object.n);
}

static const struct jmespath_value *
f_values(struct call *c)
{
	struct jmespath_value object = open_arg(c, 0);

	return jmespath_list(c->run, object.items, object.n);
}

/* Sets a member of the object; `places` has the index of each key's member. */
static void
set_member(struct jmespath_value *object, struct hash_table *places,
    const struct jmespath_item *member)
{
	void **slot = hash_put(places, member->key);
	size_t *place = *slot;

	if (place == NULL) {
		*slot = place = arena_new(places->arena, size_t);
		*place = object->n;
		arena_push(places->arena, object->items, object->n);
	}
	object->items[*place] = *member;
}

static const struct jmespath_value *
f_merge(struct call *c)
{
	struct jmespath_value *made =
	    arena_new(c->run->arena, struct jmespath_value);
	struct hash_table places = { .arena = c->run->arena };

	made->type = JSON_OBJECT;
	for (size_t i = 0; i < c->n; i++) {
		struct jmespath_value object = open_arg(c, i);

		for (size_t k = 0; k < object.n; k++)
			set_member(made, &places, &object.items[k]);
	}
	return made;
}

/* ---- order ---- */

struct sortable {
	const struct jmespath_value *value;
	const struct json *key; /* a number or a string */
	struct str text;        /* the key's text, if the key is a string */
	size_t place; /* the index in the list, which keeps the sort stable */
};

static int
compare_keys(const struct sortable *a, const struct sortable *b)
{
	double x, y;

	if (json_is(a->key, JSON_STRING))
		return str_cmp(a->text, b->text);
	x = json_double(a->key);
	y = json_double(b->key);
	return (x > y) - (x < y);
}

static int
compare_sortable(const void *a, const void *b)
{
	const struct sortable *x = a, *y = b;
	int order = compare_keys(x, y);

	return order != 0 ? order
			  : (x->place > y->place) - (x->place < y->place);
}

/*
 * Returns the list's values with their sort keys: the values themselves, or the
 * result of the second argument for each. The keys must all be numbers or all
 * be strings. If the list has one value, its key is not checked, as in
 * go-jmespath.
 */
static struct sortable *
keyed(struct call *c, const struct jmespath_value *list)
{
	struct sortable *rows =
	    arena_new_n(c->run->arena, struct sortable, list->n);

	for (size_t i = 0; i < list->n; i++) {
		const struct jmespath_value *key = list->items[i].value;

		rows[i].value = key;
		rows[i].place = i;
		if (list->n == 1)
			break;
		if (c->n == 2)
			key = jmespath_eval(c->run, c->args[1]->ref, key);
		rows[i].key = key->json;
		rows[i].text = json_text(key->json, c->run->arena);
		if ((!json_is(rows[i].key, JSON_NUMBER) &&
			!json_is(rows[i].key, JSON_STRING)) ||
		    rows[i].key->type != rows[0].key->type) {
			jmespath_fail(c->run, c->node,
			    "keys must be all numbers or all strings");
			return NULL;
		}
	}
	return rows;
}

static const struct jmespath_value *
f_sort(struct call *c)
{
	struct jmespath_value list = jmespath_open(c->run, c->args[0]);
	struct sortable *rows = keyed(c, &list);
	struct jmespath_item *items =
	    arena_new_n(c->run->arena, struct jmespath_item, list.n);

	if (rows == NULL)
		return jmespath_null(c->run);
	if (list.n != 0)
		qsort(rows, list.n, sizeof *rows, compare_sortable);
	for (size_t i = 0; i < list.n; i++)
		items[i].value = rows[i].value;
	return jmespath_list(c->run, items, list.n);
}

/* Returns the first value whose key is the greatest (sign 1) or the least
 * (-1). */
static const struct jmespath_value *
extreme(struct call *c, int sign)
{
	struct jmespath_value list = jmespath_open(c->run, c->args[0]);
	struct sortable *rows = keyed(c, &list), *best = rows;

	if (rows == NULL || list.n == 0)
		return jmespath_null(c->run);
	for (size_t i = 1; i < list.n; i++)
		if (compare_keys(&rows[i], best) * sign > 0)
			best = &rows[i];
	return best->value;
}

static const struct jmespath_value *
f_max(struct call *c)
{
	return extreme(c, 1);
}

static const struct jmespath_value *
f_min(struct call *c)
{
	return extreme(c, -1);
}

/* ---- the rest ---- */

static const struct jmespath_value *
f_map(struct call *c)
{
	struct jmespath_value list = open_arg(c, 1);
	struct jmespath_item *items =
	    arena_new_n(c->run->arena, struct jmespath_item, list.n);

	for (size_t i = 0; i < list.n; i++)
		items[i].value =
		    jmespath_eval(c->run, c->args[0]->ref, list.items[i].value);
	return jmespath_list(c->run, items, list.n);
}

static const struct jmespath_value *
f_not_null(struct call *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (jmespath_type(c->args[i]) != JSON_NULL)
			return c->args[i];
	return jmespath_null(c->run);
}

static const struct jmespath_value *
f_to_array(struct call *c)
{
	struct jmespath_item *item;

	if (jmespath_type(c->args[0]) == JSON_ARRAY)
		return c->args[0];
	item = arena_new(c->run->arena, struct jmespath_item);
	item->value = c->args[0];
	return jmespath_list(c->run, item, 1);
}

static const struct jmespath_value *
f_to_string(struct call *c)
{
	if (jmespath_type(c->args[0]) == JSON_STRING)
		return c->args[0];
	return jmespath_string(c->run, jmespath_marshal(c->run, c->args[0]));
}

/* Parses a decimal as Go's ParseFloat does: also +1, 01, .5 and 1. are
 * numbers. */
static bool
parse_float(const char *text, double *value)
{
	static const char digits[] = "0123456789";
	const char *s = text + (*text == '+' || *text == '-');
	size_t whole = strspn(s, digits), fraction = 0;

	s += whole;
	if (*s == '.') {
		fraction = strspn(s + 1, digits);
		s += 1 + fraction;
	}
	if (whole + fraction == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s += 1 + (s[1] == '+' || s[1] == '-');
		whole = strspn(s, digits);
		if (whole == 0)
			return false;
		s += whole;
	}
	*value = strtod(text, NULL);
	return *s == '\0' && isfinite(*value);
}

static const struct jmespath_value *
f_to_number(struct call *c)
{
	struct str text;
	double value;

	if (jmespath_type(c->args[0]) == JSON_NUMBER)
		return c->args[0];
	if (jmespath_type(c->args[0]) != JSON_STRING)
		return jmespath_null(c->run);
	text = text_of(c, c->args[0]);
	if (str_find_char(text, '\0') < text.n ||
	    !parse_float(str_c(c->run->arena, text), &value))
		return jmespath_null(c->run);
	return jmespath_number(c->run, value);
}

static const struct jmespath_value *
f_type(struct call *c)
{
	static const char *const names[] = { [JSON_NULL] = "null",
		[JSON_TRUE] = "boolean",
		[JSON_NUMBER] = "number",
		[JSON_STRING] = "string",
		[JSON_ARRAY] = "array",
		[JSON_OBJECT] = "object" };

	return jmespath_string(
	    c->run, str_of(names[jmespath_type(c->args[0])]));
}

static const struct {
	const char *name;
	int types[ARGS_MAX];
	const struct jmespath_value *(*call)(struct call *);
} functions[] = {
	{ "abs", { NUMBER }, f_abs },
	{ "avg", { NUMBERS }, f_avg },
	{ "ceil", { NUMBER }, f_ceil },
	{ "contains", { ARRAY | STRING, ANY }, f_contains },
	{ "ends_with", { STRING, STRING }, f_ends_with },
	{ "floor", { NUMBER }, f_floor },
	{ "join", { STRING, STRINGS }, f_join },
	{ "keys", { OBJECT }, f_keys },
	{ "length", { STRING | ARRAY | OBJECT }, f_length },
	{ "map", { REFERENCE, ARRAY }, f_map },
	{ "max", { NUMBERS | STRINGS }, f_max },
	{ "max_by", { ARRAY, REFERENCE }, f_max },
	{ "merge", { OBJECT | VARIADIC }, f_merge },
	{ "min", { NUMBERS | STRINGS }, f_min },
	{ "min_by", { ARRAY, REFERENCE }, f_min },
	{ "not_null", { ANY | VARIADIC }, f_not_null },
	{ "reverse", { ARRAY | STRING }, f_reverse },
	{ "sort", { NUMBERS | STRINGS }, f_sort },
	{ "sort_by", { ARRAY, REFERENCE }, f_sort },
	{ "starts_with", { STRING, STRING }, f_starts_with },
	{ "sum", { NUMBERS }, f_sum },
	{ "to_array", { ANY }, f_to_array },
	{ "to_number", { ANY }, f_to_number },
	{ "to_string", { ANY }, f_to_string },
	{ "type", { ANY }, f_type },
	{ "values", { OBJECT }, f_values },
};

/* ---- calling ---- */

static bool
all_of(struct jmespath_run *run, const struct jmespath_value *v, int type)
{
	struct jmespath_value list = jmespath_open(run, v);

	for (size_t i = 0; i < list.n; i++)
		if (jmespath_type(list.items[i].value) != type)
			return false;
	return true;
}

static bool
fits(struct jmespath_run *run, const struct jmespath_value *v, int types)
{
	int type = jmespath_type(v);

	if (v->ref != NULL)
		return types & REFERENCE;
	if (types & 1 << type & (ANY & ~REFERENCE))
		return true;
	if (type != JSON_ARRAY)
		return false;
	return (types & NUMBERS && all_of(run, v, JSON_NUMBER)) ||
	    (types & STRINGS && all_of(run, v, JSON_STRING));
}

static const char *
mismatch(struct call *c, const int types[ARGS_MAX])
{
	size_t wanted = 1 + (types[1] != 0);

	if (types[0] & VARIADIC ? c->n < 1 : c->n != wanted)
		return "wrong number of arguments";
	for (size_t i = 0; i < c->n; i++)
		if (!fits(
			c->run, c->args[i], types[types[0] & VARIADIC ? 0 : i]))
			return "argument of a wrong type";
	return NULL;
}

const struct jmespath_value *
jmespath_call(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value **args)
{
	struct call c = { run, n, args, n->nargs };

	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		const char *why;

		if (!str_is(n->name, functions[i].name))
			continue;
		why = mismatch(&c, functions[i].types);
		return why != NULL ? jmespath_fail(run, n, why)
				   : functions[i].call(&c);
	}
	return jmespath_fail(run, n, "unknown function");
}
