#include "emulate/jsonpath/run.h"

#include "emulate/lang/js.h"
#include "io/out.h"
#include "json/keys.h"

/* ---- members ---- */

/* Returns whether keys of the object repeat. */
static bool
has_repeats(const struct json *object)
{
	enum { FEW = 10 };
	struct arena scratch = { 0 };
	size_t n = 0;

	const struct json *key = json_first(object), *later;

	for (; key != NULL && n < FEW && !(key->flags & JSON_ESCAPED); n++) {
		struct str name = json_raw(key);

		key = json_next(object, json_value(key));
		for (later = key; later != NULL;
		     later = json_next(object, json_value(later)))
			if (str_eq(json_raw(later), name))
				return true;
	}
	if (key == NULL)
		return false;
	json_keys_repeated(object, &scratch, &n);
	arena_free(&scratch);
	return n > 0;
}

/* Returns whether the same key follows again. */
static bool
is_repeated(
    struct path_run *run, const struct json *object, const struct json *key)
{
	struct str name = json_text(key, run->arena);

	for (;;) {
		key = json_next(object, json_value(key));
		if (key == NULL || !jsonpath_spend(run, 1))
			return false;
		if (json_str_is(key, name))
			return true;
	}
}

const struct json *
jsonpath_member(
    struct path_run *run, const struct json *object, struct str name)
{
	const struct json *found = NULL;
	size_t n = 0;

	for (json_members(key, object)) {
		if (json_key_is(key, name))
			found = key;
		n++;
	}
	return jsonpath_spend(run, n) ? found : NULL;
}

bool
jsonpath_next_child(struct path_run *run, struct path_node *child)
{
	const struct json *in = child->parent->value;
	const struct json *next =
	    child->value == NULL ? json_first(in) : json_next(in, child->value);

	if (child->value != NULL)
		child->index++;
	if (json_is(in, JSON_OBJECT)) {
		if (child->value == NULL)
			child->repeats = has_repeats(in);
		while (next != NULL && child->repeats &&
		    is_repeated(run, in, next))
			next = json_next(in, json_value(next));
		child->key = next;
		next = json_value(next);
	}
	child->value = next;
	return next != NULL && jsonpath_spend(run, 1);
}

/* ---- equality ---- */

static bool
lists_equal(struct path_run *run, const struct json *a, const struct json *b)
{
	const struct json *x = json_first(a), *y = json_first(b);

	for (; x != NULL && y != NULL; x = json_next(a, x), y = json_next(b, y))
		if (!jsonpath_equal(run, x, y))
			return false;
	return x == y;
}

static size_t
count_members(struct path_run *run, const struct json *object)
{
	struct path_node in = { .value = object }, child = { .parent = &in };
	size_t n = 0;

	while (jsonpath_next_child(run, &child))
		n++;
	return n;
}

static bool
objects_equal(struct path_run *run, const struct json *a, const struct json *b)
{
	struct path_node in = { .value = a }, child = { .parent = &in };

	if (count_members(run, a) != count_members(run, b))
		return false;
	while (jsonpath_next_child(run, &child)) {
		struct str name = json_text(child.key, run->arena);
		const struct json *key = jsonpath_member(run, b, name);

		if (key == NULL ||
		    !jsonpath_equal(run, child.value, json_value(key)))
			return false;
	}
	return true;
}

bool
jsonpath_equal(struct path_run *run, const struct json *a, const struct json *b)
{
	if (!jsonpath_spend(run, 1) || a->type != b->type)
		return false;
	if (a->type == JSON_ARRAY)
		return lists_equal(run, a, b);
	if (a->type == JSON_OBJECT)
		return objects_equal(run, a, b);
	return json_equal(a, b);
}

/* ---- values that no document holds ---- */

static struct json *
new_value(struct arena *a, enum json_type type, struct str text)
{
	struct json *v = arena_new(a, struct json);

	*v = (struct json){ .text = text, .span = 1, .type = (uint8_t)type };
	return v;
}

const struct json *
jsonpath_new_text(struct arena *a, struct str text)
{
	struct json *v = new_value(a, JSON_STRING, out_quote(a, text));

	if (str_find_char(v->text, '\\') < v->text.n)
		v->flags = JSON_ESCAPED;
	return v;
}

const struct json *
jsonpath_new_number(struct arena *a, double number)
{
	char buf[JS_NUMBER_SIZE];

	return new_value(a, JSON_NUMBER, str_dup(a, js_number(number, buf)));
}
