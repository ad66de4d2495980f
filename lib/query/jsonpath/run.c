#include "query/jsonpath/run.h"

#include "io/out.h"
#include "lang/js.h"
#include "json/keys.h"

bool
jsonpath_spend(struct path_run *run, size_t units)
{
	run->work += units;
	if (run->work > run->work_max)
		run->cut = true;
	return !run->cut;
}

/* ---- members ---- */

static bool
document_repeats(const struct json *root)
{
	struct arena scratch = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < root->span && n == 0; i++) {
		json_keys_repeated(root + i, &scratch, &n);
		arena_reset(&scratch);
	}
	arena_free(&scratch);
	return n > 0;
}

/* Returns whether the member counts: it does not if the same key follows
 * again. */
static bool
counts(struct path_run *run, const struct json *object, const struct json *key)
{
	struct str name;

	if (run->repeats == REPEATS_UNKNOWN)
		run->repeats =
		    document_repeats(run->root) ? REPEATS : REPEATS_NONE;
	if (run->repeats == REPEATS_NONE)
		return true;
	name = json_text(key, run->arena);
	for (;;) {
		key = json_next(object, json_value(key));
		if (key == NULL || !jsonpath_spend(run, 1))
			return true;
		if (json_str_is(key, name))
			return false;
	}
}

const struct json *
jsonpath_member(
    struct path_run *run, const struct json *object, struct str name)
{
	const struct json *found = NULL;

	for (json_members(key, object)) {
		if (!jsonpath_spend(run, 1))
			return NULL;
		if (json_str_is(key, name))
			found = key;
	}
	return found;
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
		while (next != NULL && !counts(run, in, next))
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
