/* Values: as keys, as texts, and compared with each other. */
#include "check/kind/call_kinds.h"
#include "check/rule/run.h"

#include <stdlib.h>
#include <string.h>

static void put_key(struct out *, const struct json *, struct arena *);

static void
put_number(struct out *o, const struct json *v)
{
	double n = json_double(v);

	out_printf(o, "n%.17g", n == 0 ? 0 : n); /* -0 is 0 */
}

/* A member for sorting: of equal names the last counts. */
struct named {
	struct str name;
	const struct json *value;
};

static int
by_name(const void *one, const void *other)
{
	const struct named *a = one, *b = other;
	int c = str_cmp(a->name, b->name);

	if (c != 0)
		return c;
	return a->value < b->value ? -1 : a->value > b->value;
}

static void
put_members(struct out *o, const struct json *v, struct arena *a)
{
	struct named *list = arena_new_n(a, struct named, json_count(v));
	size_t n = 0;

	for (json_members(key, v))
		list[n++] =
		    (struct named){ json_text(key, a), json_value(key) };
	qsort(list, n, sizeof *list, by_name);
	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n && str_eq(list[i].name, list[i + 1].name))
			continue;
		out_printf(o, "m%zu:", list[i].name.n);
		out_str(o, list[i].name);
		put_key(o, list[i].value, a);
	}
}

static void
put_key(struct out *o, const struct json *v, struct arena *a)
{
	struct str text;

	switch (v->type) {
	case JSON_STRING:
		text = json_text(v, a);
		out_printf(o, "s%zu:", text.n);
		out_str(o, text);
		break;
	case JSON_NUMBER:
		put_number(o, v);
		break;
	case JSON_ARRAY:
		out_char(o, '[');
		for (json_each(item, v))
			put_key(o, item, a);
		out_char(o, ']');
		break;
	case JSON_OBJECT:
		out_char(o, '{');
		put_members(o, v, a);
		out_char(o, '}');
		break;
	default:
		out_str(o, v->text);
	}
}

struct str
rule_key(const struct json *v, struct arena *a)
{
	struct out o;

	if (json_is(v, JSON_STRING) && !(v->flags & JSON_ESCAPED))
		return str_slice(v->text, 0, v->text.n - 1); /* "text */
	out_open_memory(&o);
	if (json_is(v, JSON_STRING)) {
		out_char(&o, '"');
		out_str(&o, json_text(v, a));
	} else {
		put_key(&o, v, a);
	}
	return out_keep(&o, a);
}

/* The decoded texts of a value, which need no more room than its source. */
struct texts {
	struct arena *arena;
	char *at;
	bool any;
};

static void
put_scalar(struct texts *t, const struct json *v)
{
	struct str text =
	    v->type == JSON_STRING ? json_text(v, t->arena) : v->text;

	if (t->any)
		*t->at++ = '\n';
	t->any = true;
	if (text.n != 0)
		t->at = str_put(t->at, text.s, text.n);
}

static void
put_texts(struct texts *t, const struct json *v, bool keys)
{
	if (v->type == JSON_ARRAY) {
		for (json_each(item, v))
			put_texts(t, item, keys);
	} else if (v->type == JSON_OBJECT) {
		for (json_members(key, v)) {
			if (keys)
				put_scalar(t, key);
			put_texts(t, json_value(key), keys);
		}
	} else {
		put_scalar(t, v);
	}
}

struct str
rule_text_of(const struct json *v, bool keys, struct arena *a)
{
	struct texts t = { .arena = a };
	char *room;

	if (v->type == JSON_STRING)
		return json_text(v, a);
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
		return v->text;
	t.at = room = arena_room(a, v->text.n);
	put_texts(&t, v, keys);
	return (struct str){ room, (size_t)(t.at - room) };
}

struct str
rule_result_text(const struct json *result, struct arena *a)
{
	struct str text;

	if (json_is(result, JSON_STRING))
		return json_text(result, a);
	text = tool_parts_text(
	    json_is(result, JSON_ARRAY) ? result : json_get(result, "content"),
	    STR("\n"), a);
	return text.s != NULL ? text : result->text;
}

/* Returns the number of a value: also of a text that is a number, since some
 * agents write amounts as texts. */
static bool
number_of(const struct json *v, double *n, struct arena *a)
{
	struct json_reader reader = { 0 };
	const struct json *read;

	if (json_is(v, JSON_NUMBER)) {
		*n = json_double(v);
		return true;
	}
	if (!json_is(v, JSON_STRING))
		return false;
	read = json_read(&reader, json_text(v, a), NULL, NULL);
	*n = json_double(read);
	json_reader_free(&reader);
	return *n == *n;
}

bool
rule_is_in_order(enum rule_op op, int c)
{
	switch (op) {
	case RULE_LT:
		return c < 0;
	case RULE_LE:
		return c <= 0;
	case RULE_GT:
		return c > 0;
	case RULE_GE:
		return c >= 0;
	case RULE_EQ:
		return c == 0;
	case RULE_NE:
		break;
	}
	return c != 0;
}

bool
rule_compare(enum rule_op op, const struct json *v, const struct json *w,
    struct arena *a)
{
	double x, y;

	if (op == RULE_EQ || op == RULE_NE)
		return (v != NULL && json_equal(v, w)) == (op == RULE_EQ);
	if ((json_is(v, JSON_NUMBER) || json_is(w, JSON_NUMBER)) &&
	    number_of(v, &x, a) && number_of(w, &y, a))
		return rule_is_in_order(op, x < y ? -1 : x > y);
	if (json_is(v, JSON_STRING) && json_is(w, JSON_STRING))
		return rule_is_in_order(
		    op, str_cmp(json_text(v, a), json_text(w, a)));
	return false;
}
