/* Evaluates JMESPath: every node is a function of the current value. */
#include <math.h>

#include "emulate/jmespath/tree.h"

/* More work than any expression on a final answer needs; done within a
 * second. */
enum { WORK_MAX = 10 * 1000 * 1000 };

static const struct jmespath_value *
field(
    struct jmespath_run *run, struct str name, const struct jmespath_value *at)
{
	const struct json *found;

	if (at->json != NULL) {
		found = json_get(at->json, name);
		return found == NULL ? jmespath_null(run)
				     : jmespath_of(run, found);
	}
	for (size_t i = at->n; at->type == JSON_OBJECT && i-- > 0;)
		if (str_eq(at->items[i].key, name))
			return at->items[i].value;
	return jmespath_null(run);
}

static const struct jmespath_value *
element(struct jmespath_run *run, int64_t i, const struct jmespath_value *of)
{
	struct jmespath_value list;

	if (jmespath_type(of) != JSON_ARRAY)
		return jmespath_null(run);
	list = jmespath_open(run, of);
	if (i < 0)
		i += (int64_t)list.n;
	return i < 0 || i >= (int64_t)list.n ? jmespath_null(run)
					     : list.items[i].value;
}

static int64_t
clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Returns a bound of a slice, clamped to the elements' indices and the
 * positions before the first and behind the last element. */
static int64_t
bound(const struct jmespath_node *n, int which, int64_t length, bool back)
{
	int64_t value = n->slice[which].value;
	int64_t least = back ? -1 : 0, most = back ? length - 1 : length;

	if (!n->slice[which].given)
		return (which == 0) != back ? least : most;
	return clamp(value < 0 ? value + length : value, least, most);
}

static const struct jmespath_value *
slice(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *of)
{
	int64_t step = n->slice[2].given ? n->slice[2].value : 1;
	struct jmespath_value list;
	struct jmespath_item *items = NULL;
	size_t count = 0;

	if (jmespath_type(of) != JSON_ARRAY)
		return jmespath_null(run);
	if (step == 0)
		return jmespath_fail(run, n, "a slice's step is 0");
	list = jmespath_open(run, of);
	if (list.n == 0)
		return of;
	int64_t from = bound(n, 0, (int64_t)list.n, step < 0);
	int64_t to = bound(n, 1, (int64_t)list.n, step < 0);
	for (int64_t i = from; step > 0 ? i < to : i > to; i += step)
		*arena_push(run->arena, items, count) = list.items[i];
	return jmespath_list(run, items, count);
}

static const struct jmespath_value *
flatten(struct jmespath_run *run, const struct jmespath_value *of)
{
	struct jmespath_value outer, inner;
	struct jmespath_item *items = NULL;
	size_t n = 0;

	if (jmespath_type(of) != JSON_ARRAY)
		return jmespath_null(run);
	outer = jmespath_open(run, of);
	for (size_t i = 0; i < outer.n; i++) {
		if (jmespath_type(outer.items[i].value) != JSON_ARRAY) {
			*arena_push(run->arena, items, n) = outer.items[i];
			continue;
		}
		inner = jmespath_open(run, outer.items[i].value);
		for (size_t k = 0; k < inner.n; k++)
			*arena_push(run->arena, items, n) = inner.items[k];
	}
	return jmespath_list(run, items, n);
}

/* Evaluates the right side on each value of the left side, and drops nulls.
 * go-jmespath puts as many nulls before an object's values as it has values; a
 * function on the right may fail on null. */
static const struct jmespath_value *
project(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *over)
{
	int wanted = n->type == JP_VALUES ? JSON_OBJECT : JSON_ARRAY;
	struct jmespath_value list;
	struct jmespath_item *items = NULL;
	size_t count = 0, nulls;

	if (jmespath_type(over) != wanted)
		return jmespath_null(run);
	list = jmespath_open(run, over);
	nulls = n->type == JP_VALUES ? list.n : 0;
	for (size_t i = 0; i < nulls + list.n && !run->failed; i++) {
		const struct jmespath_value *v = i < nulls
		    ? jmespath_null(run)
		    : list.items[i - nulls].value;

		if (n->type == JP_FILTER &&
		    !jmespath_truth(jmespath_eval(run, n->args[0], v)))
			continue;
		v = jmespath_eval(run, n->right, v);
		if (jmespath_type(v) != JSON_NULL)
			arena_push(run->arena, items, count)->value = v;
	}
	return jmespath_list(run, items, count);
}

static const struct jmespath_value *
compare(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *at)
{
	const struct jmespath_value *a = jmespath_eval(run, n->left, at);
	const struct jmespath_value *b = jmespath_eval(run, n->right, at);
	double x, y;

	if (n->compare == JP_EQ || n->compare == JP_NE)
		return jmespath_bool(
		    run, jmespath_equal(run, a, b) == (n->compare == JP_EQ));
	x = json_double(a->json);
	y = json_double(b->json);
	if (isnan(x) || isnan(y))
		return jmespath_null(run);
	return jmespath_bool(run,
	    n->compare == JP_LT       ? x < y
		: n->compare == JP_LE ? x <= y
		: n->compare == JP_GT ? x > y
				      : x >= y);
}

/* Returns the item of this name; if there is none, the next free one. */
static struct jmespath_item *
named_item(const struct jmespath_value *made, struct str name)
{
	size_t i = 0;

	while (i < made->n && !str_eq(made->items[i].key, name))
		i++;
	made->items[i].key = name;
	return &made->items[i];
}

/* Evaluates [a, b] or {x: a, y: b}; of null it is null. */
static const struct jmespath_value *
multi_select(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *at)
{
	struct jmespath_value *made =
	    arena_new(run->arena, struct jmespath_value);

	if (jmespath_type(at) == JSON_NULL)
		return at;
	made->type = n->type == JP_HASH ? JSON_OBJECT : JSON_ARRAY;
	made->items = arena_new_n(run->arena, struct jmespath_item, n->nargs);
	for (size_t i = 0; i < n->nargs; i++) {
		struct jmespath_item *item = &made->items[made->n];

		if (n->type == JP_HASH)
			item = named_item(made, n->names[i]);
		if (item == &made->items[made->n])
			made->n++;
		item->value = jmespath_eval(run, n->args[i], at);
	}
	return made;
}

static const struct jmespath_value *
call(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *at)
{
	const struct jmespath_value **args =
	    arena_new_n(run->arena, const struct jmespath_value *, n->nargs);

	for (size_t i = 0; i < n->nargs; i++)
		args[i] = jmespath_eval(run, n->args[i], at);
	return run->failed ? jmespath_null(run) : jmespath_call(run, n, args);
}

static const struct jmespath_value *
reference(struct jmespath_run *run, const struct jmespath_node *n)
{
	struct jmespath_value *v = arena_new(run->arena, struct jmespath_value);

	v->ref = n->left;
	return v;
}

/* Returns whether go-jmespath ignores an error on the left side of this node
 * and evaluates to null. */
static bool
ignores_error(const struct jmespath_run *run, const struct jmespath_node *n)
{
	return run->work > 0 &&
	    (n->type == JP_FLATTEN || n->type == JP_FILTER ||
		n->type == JP_VALUES);
}

const struct jmespath_value *
jmespath_eval(struct jmespath_run *run, const struct jmespath_node *n,
    const struct jmespath_value *at)
{
	const struct jmespath_value *left;

	if (run->work == 0)
		jmespath_fail(run, n, "too much work");
	if (run->failed)
		return jmespath_null(run);
	run->work--;
	switch (n->type) {
	case JP_CURRENT:
		return at;
	case JP_FIELD:
		return field(run, n->name, at);
	case JP_LITERAL:
		return jmespath_of(run, n->literal);
	case JP_COMPARE:
		return compare(run, n, at);
	case JP_LIST:
	case JP_HASH:
		return multi_select(run, n, at);
	case JP_CALL:
		return call(run, n, at);
	case JP_REF:
		return reference(run, n);
	default:
		break;
	}
	left = jmespath_eval(run, n->left, at);
	if (run->failed && ignores_error(run, n)) {
		run->failed = false;
		return jmespath_null(run);
	}
	switch (n->type) {
	case JP_INDEX:
		return element(run, n->number, left);
	case JP_SLICE:
		return slice(run, n, left);
	case JP_SUB:
		return jmespath_eval(run, n->right, left);
	case JP_FLATTEN:
		return flatten(run, left);
	case JP_OR:
		return jmespath_truth(left) ? left
					    : jmespath_eval(run, n->right, at);
	case JP_AND:
		return jmespath_truth(left) ? jmespath_eval(run, n->right, at)
					    : left;
	case JP_NOT:
		return jmespath_bool(run, !jmespath_truth(left));
	default:
		return project(run, n, left);
	}
}

const struct json *
jmespath_search(const struct jmespath *path, const struct json *root,
    struct arena *a, struct jmespath_error *error)
{
	struct jmespath_run run = { .arena = a, .work = WORK_MAX };
	const struct jmespath_value *v =
	    jmespath_eval(&run, path->root, jmespath_of(&run, root));

	if (run.failed && error != NULL)
		*error = run.error;
	return run.failed ? NULL : jmespath_json(&run, v);
}
