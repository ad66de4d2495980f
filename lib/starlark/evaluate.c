/* Expressions to values. */
#include "base/ascii.h"
#include "starlark/run.h"

static const struct starlark_value unread = { .type = STARLARK_UNREAD };

/* ---- names ---- */

static struct starlark_value
of_callee(struct starlark *s, struct starlark_callee callee)
{
	struct starlark_callee *c = arena_new(s->arena, struct starlark_callee);

	*c = callee;
	return (
	    struct starlark_value){ .type = STARLARK_FUNCTION, .function = c };
}

static struct starlark_value
named(struct starlark *s, const struct starlark_node *n)
{
	const struct starlark_function *f = s->functions;
	const struct starlark_value *v;

	for (struct starlark_scope *at = s->run->scope; at != NULL;
	     at = at->up) {
		if ((v = hash_get(&at->names, n->text)) == NULL)
			continue;
		if (v->type == STARLARK_UNREAD)
			return starlark_unread(s, n->place,
			    str_cat(s->arena,
				STR("a name that depends on what is not "
				    "read: "),
				n->text));
		return *v;
	}
	if (str_is_one_of(n->text, "True False"))
		return starlark_of_bool(str_is(n->text, "True"));
	if (str_is(n->text, "None"))
		return (struct starlark_value){ .type = STARLARK_NONE };
	while (f->name != NULL && !str_is(n->text, f->name))
		f++;
	if (f->name != NULL)
		return of_callee(s, (struct starlark_callee){ .function = f });
	if (starlark_is_builtin(n->text))
		return of_callee(
		    s, (struct starlark_callee){ .builtin = n->text });
	return starlark_mistake(s, n->place,
	    "expected a name that has a value, found %.*s", STR_FMT(n->text));
}

static struct starlark_value
number(struct starlark *s, const struct starlark_node *n)
{
	static const char letters[] = "xXoObB";
	static const int bases[] = { 16, 16, 8, 8, 2, 2 };
	const char *letter =
	    n->text.n > 2 ? strchr(letters, n->text.s[1]) : NULL;
	int64_t base = letter == NULL ? 10 : bases[letter - letters], value = 0;

	for (size_t i = letter == NULL ? 0 : 2; i < n->text.n; i++) {
		int digit = ascii_hex((unsigned char)n->text.s[i]);

		if (digit < 0 || digit >= base)
			return starlark_mistake(s, n->place,
			    "expected a number, found %.*s", STR_FMT(n->text));
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return starlark_unread(
			    s, n->place, STR("a number of over 64 bits"));
	}
	return starlark_of_int(value);
}

/* ---- collections ---- */

/* Evaluates the nodes from this one on. */
static struct starlark_value
collection(struct starlark *s, enum starlark_type type,
    const struct starlark_node *first)
{
	struct starlark_value *items = NULL;
	size_t n = 0;

	for (; first != NULL && !starlark_stopped(s); first = first->next) {
		struct starlark_value v = starlark_eval(s, first);

		*arena_push(s->arena, items, n) = v;
	}
	return starlark_of_list(s, type, items, n);
}

static void
put(struct starlark *s, struct starlark_list *dict, struct starlark_value key,
    struct starlark_value value, struct place place)
{
	struct starlark_value *at = starlark_find(s, dict, &key, place);

	if (at != NULL)
		*at = value;
	else if (key.type == STARLARK_LIST || key.type == STARLARK_DICT)
		starlark_mistake(s, place,
		    "expected a key that cannot change, found %s",
		    starlark_type_name(&key));
	else {
		*arena_push(s->arena, dict->items, dict->n) = key;
		*arena_push(s->arena, dict->items, dict->n) = value;
	}
}

static struct starlark_value
dict(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value d = starlark_of_list(s, STARLARK_DICT, NULL, 0);

	for (n = n->first; n != NULL && !starlark_stopped(s);
	     n = n->next->next) {
		struct starlark_value key = starlark_eval(s, n);

		put(s, d.list, key, starlark_eval(s, n->next), n->place);
	}
	return d;
}

/* Runs the clauses from this one on, and adds an element in the innermost. */
static void
comprehend(struct starlark *s, const struct starlark_node *whole,
    const struct starlark_node *clause, struct starlark_list *to)
{
	struct starlark_value v;

	if (clause == NULL) {
		v = starlark_eval(s, whole->first);
		if (whole->kind == NODE_DICT_COMPREHENSION)
			put(s, to, v, starlark_eval(s, whole->first->next),
			    whole->place);
		else
			*arena_push(s->arena, to->items, to->n) = v;
		return;
	}
	if (clause->kind == NODE_IF) {
		v = starlark_eval(s, clause->first);
		if (!starlark_stopped(s) && starlark_truth(&v))
			comprehend(s, whole, clause->next, to);
		return;
	}
	v = starlark_items(s, clause->last);
	for (size_t i = 0; !starlark_stopped(s) && i < v.list->n; i++) {
		starlark_assign(s, clause->first, v.list->items[i]);
		if (!starlark_stopped(s))
			comprehend(s, whole, clause->next, to);
	}
}

static struct starlark_value
comprehension(struct starlark *s, const struct starlark_node *n)
{
	bool is_dict = n->kind == NODE_DICT_COMPREHENSION;
	struct starlark_value all = starlark_of_list(
	    s, is_dict ? STARLARK_DICT : STARLARK_LIST, NULL, 0);
	struct starlark_scope scope = { .names.arena = s->arena,
		.up = s->run->scope };

	s->run->scope = &scope;
	comprehend(
	    s, n, is_dict ? n->first->next->next : n->first->next, all.list);
	s->run->scope = scope.up;
	return all;
}

struct starlark_value
starlark_items(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value v = starlark_eval(s, n), *items;
	size_t keys;

	if (starlark_stopped(s))
		return v;
	if (v.type == STARLARK_LIST || v.type == STARLARK_TUPLE)
		/* The list may grow while a loop runs. */
		return starlark_of_list(s, v.type, v.list->items, v.list->n);
	if (v.type != STARLARK_DICT)
		return starlark_mistake(s, n->place,
		    "expected a list to go through, found %s",
		    starlark_type_name(&v));
	keys = v.list->n / 2;
	items = arena_new_n(s->arena, struct starlark_value, keys + 1);
	for (size_t i = 0; i < keys; i++)
		items[i] = v.list->items[2 * i];
	return starlark_of_list(s, STARLARK_LIST, items, keys);
}

/* ---- items and slices ---- */

static struct starlark_value *
item(struct starlark *s, const struct starlark_value *of,
    const struct starlark_value *index, struct place place)
{
	int64_t i = index->number, n;
	struct starlark_value *found;

	if (of->type == STARLARK_DICT) {
		if ((found = starlark_find(s, of->list, index, place)) == NULL)
			starlark_mistake(s, place,
			    "expected a key of the dict, found another");
		return found;
	}
	if ((of->type != STARLARK_LIST && of->type != STARLARK_TUPLE) ||
	    index->type != STARLARK_INT) {
		starlark_mistake(s, place,
		    "expected a number as the index of a list, found %s of %s",
		    starlark_type_name(index), starlark_type_name(of));
		return NULL;
	}
	n = (int64_t)of->list->n;
	if (i < -n || i >= n) {
		starlark_mistake(s, place,
		    "expected an index within the list, found another");
		return NULL;
	}
	return &of->list->items[i < 0 ? i + n : i];
}

static struct starlark_value
indexed(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value of = starlark_eval(s, n->first);
	struct starlark_value index = starlark_eval(s, n->last), *found;

	if (starlark_stopped(s))
		return unread;
	if (of.type == STARLARK_STRING)
		return starlark_unread(
		    s, n->place, STR("an index of a string"));
	found = item(s, &of, &index, n->place);
	return found == NULL ? unread : *found;
}

/* Returns an end of a slice of n items, or `otherwise` if the end is left out. */
static size_t
bound(struct starlark *s, const struct starlark_node *node, size_t n,
    size_t otherwise)
{
	struct starlark_value v;

	if (node == NULL || node->kind == NODE_ABSENT)
		return otherwise;
	v = starlark_eval(s, node);
	if (v.type == STARLARK_NONE || starlark_stopped(s))
		return otherwise;
	if (v.type != STARLARK_INT) {
		starlark_mistake(s, node->place, "expected a number, found %s",
		    starlark_type_name(&v));
		return otherwise;
	}
	if (v.number < 0)
		return v.number < -(int64_t)n ? 0 : n - (size_t)-v.number;
	return v.number > (int64_t)n ? n : (size_t)v.number;
}

static struct starlark_value
slice(struct starlark *s, const struct starlark_node *n)
{
	const struct starlark_node *from = n->first->next, *to = from->next;
	struct starlark_value of = starlark_eval(s, n->first);
	bool text = of.type == STARLARK_STRING;
	size_t size, a, b;

	if (starlark_stopped(s))
		return unread;
	if (!text && of.type != STARLARK_LIST && of.type != STARLARK_TUPLE)
		return starlark_mistake(s, n->place,
		    "expected a string or list before a slice, found %s",
		    starlark_type_name(&of));
	size = text ? of.text.n : of.list->n;
	if ((to->next != NULL && to->next->kind != NODE_ABSENT) ||
	    (text && str_characters(of.text) != size))
		return starlark_unread(s, n->place,
		    STR("a slice with steps, or of a string that is not "
			"ASCII"));
	a = bound(s, from, size, 0);
	b = bound(s, to, size, size);
	if (text)
		return starlark_of_text(str_slice(of.text, a, b));
	/* The sum is a copy. */
	return starlark_operate(s, STR("+"),
	    starlark_of_list(s, of.type, of.list->items + a, a < b ? b - a : 0),
	    starlark_of_list(s, of.type, NULL, 0), n->place);
}

/* ---- calls ---- */

static struct starlark_value
called(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value f = starlark_eval(s, n->first);
	struct starlark_arguments args = { 0 };
	size_t names = 0;

	for (const struct starlark_node *a = n->first->next;
	     a != NULL && !starlark_stopped(s); a = a->next) {
		struct starlark_value v = starlark_eval(s, a->first);

		if (str_is_one_of(a->text, "* **"))
			return starlark_unread(
			    s, a->place, STR("a call with * or **"));
		*arena_push(s->arena, args.values, args.n) = v;
		*arena_push(s->arena, args.names, names) = a->text;
	}
	if (starlark_stopped(s))
		return unread;
	if (f.type != STARLARK_FUNCTION)
		return starlark_mistake(s, n->place,
		    "expected a function to call, found %s",
		    starlark_type_name(&f));
	return starlark_call(s, f.function, &args, n->place);
}

/* Returns the text of a formatted string. */
static struct starlark_value
formatted(struct starlark *s, const struct starlark_node *n)
{
	struct str *parts = NULL, all;
	size_t count = 0;

	for (n = n->first; n != NULL && !starlark_stopped(s); n = n->next) {
		struct starlark_value v =
		    starlark_eval(s, n->kind == NODE_STRING ? n : n->first);
		struct str shown = starlark_stopped(s)
		    ? (struct str){ 0 }
		    : starlark_show(s, &v,
			  str_is(n->text, "r") && n->kind != NODE_STRING,
			  n->place);

		*arena_push(s->arena, parts, count) = shown;
	}
	all = str_join(s->arena, parts, count, STR(""));
	return starlark_of_text(all);
}

/* ---- operators ---- */

static struct starlark_value
binary(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value a = starlark_eval(s, n->first), b;

	if (starlark_stopped(s))
		return unread;
	if (str_is_one_of(n->text, "and or") &&
	    starlark_truth(&a) == str_is(n->text, "or"))
		return a;
	b = starlark_eval(s, n->last);
	if (starlark_stopped(s) || str_is_one_of(n->text, "and or"))
		return b;
	return starlark_operate(s, n->text, a, b, n->place);
}

static struct starlark_value
unary(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value v = starlark_eval(s, n->first);

	if (starlark_stopped(s))
		return unread;
	if (str_is(n->text, "not"))
		return starlark_of_bool(!starlark_truth(&v));
	if (str_is(n->text, "~"))
		return starlark_unread(s, n->place, n->text);
	return starlark_operate(s, n->text, starlark_of_int(0), v, n->place);
}

static struct starlark_value
condition(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value v = starlark_eval(s, n->first);

	if (starlark_stopped(s))
		return unread;
	return starlark_eval(s, starlark_truth(&v) ? n->first->next : n->last);
}

/* Returns a method, whose name is looked at when it is called. */
static struct starlark_value
method(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value self = starlark_eval(s, n->first);

	if (starlark_stopped(s))
		return unread;
	return of_callee(
	    s, (struct starlark_callee){ .builtin = n->text, .self = self });
}

static struct starlark_value
eval(struct starlark *s, const struct starlark_node *n)
{
	static struct starlark_value (*const evals[])(
	    struct starlark *, const struct starlark_node *) = {
		[NODE_NAME] = named,
		[NODE_INT] = number,
		[NODE_FORMATTED] = formatted,
		[NODE_DICT] = dict,
		[NODE_LIST_COMPREHENSION] = comprehension,
		[NODE_DICT_COMPREHENSION] = comprehension,
		[NODE_CONDITION] = condition,
		[NODE_UNARY] = unary,
		[NODE_BINARY] = binary,
		[NODE_CALL] = called,
		[NODE_INDEX] = indexed,
		[NODE_SLICE] = slice,
		[NODE_DOT] = method,
	};

	if (n->kind == NODE_STRING)
		return starlark_of_text(n->text);
	if (n->kind == NODE_LIST || n->kind == NODE_TUPLE)
		return collection(s,
		    n->kind == NODE_LIST ? STARLARK_LIST : STARLARK_TUPLE,
		    n->first);
	if (n->kind == NODE_OTHER)
		return starlark_unread(s, n->place, n->text);
	return evals[n->kind](s, n);
}

struct starlark_value
starlark_eval(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value v = unread;

	if (starlark_stopped(s))
		return v;
	if (s->run->depth++ >= STARLARK_NESTED)
		starlark_unread(s, n->place,
		    STR("an expression that is nested too deeply"));
	else if (starlark_spend(s, 1, n->place))
		v = eval(s, n);
	s->run->depth--;
	return starlark_stopped(s) ? unread : v;
}

/* ---- assignment ---- */

static void
assign_items(struct starlark *s, const struct starlark_node *target,
    struct starlark_value v)
{
	size_t i = 0;

	if (v.type != STARLARK_LIST && v.type != STARLARK_TUPLE) {
		starlark_mistake(s, target->place,
		    "expected a list for several names, found %s",
		    starlark_type_name(&v));
		return;
	}
	for (const struct starlark_node *t = target->first; t != NULL;
	     t = t->next)
		if (i++ < v.list->n && !starlark_stopped(s))
			starlark_assign(s, t, v.list->items[i - 1]);
	if (i != v.list->n)
		starlark_mistake(s, target->place,
		    "expected %zu values for as many names, found %zu", i,
		    v.list->n);
}

void
starlark_assign(struct starlark *s, const struct starlark_node *target,
    struct starlark_value v)
{
	struct starlark_value of, index, *found;

	if (target->kind == NODE_NAME) {
		starlark_define(s, target->text, v);
		return;
	}
	if (target->kind == NODE_TUPLE || target->kind == NODE_LIST) {
		assign_items(s, target, v);
		return;
	}
	if (target->kind != NODE_INDEX) {
		starlark_unread(
		    s, target->place, STR("a field that is assigned to"));
		return;
	}
	of = starlark_eval(s, target->first);
	index = starlark_eval(s, target->last);
	if (starlark_stopped(s))
		return;
	if (of.type == STARLARK_DICT)
		put(s, of.list, index, v, target->place);
	else if (of.type == STARLARK_LIST) {
		if ((found = item(s, &of, &index, target->place)) != NULL)
			*found = v;
	} else
		starlark_mistake(s, target->place,
		    "expected a list or dict to change, found %s",
		    starlark_type_name(&of));
}
