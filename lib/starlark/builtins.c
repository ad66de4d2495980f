/* Functions that Starlark defines, and methods of strings, lists and dicts. A rarer
 * function is not read. */
#include <stdlib.h>

#include "starlark/run.h"

/* A call of a builtin. */
struct use {
	struct starlark *s;
	struct starlark_value self;
	const struct starlark_value *args;
	const struct starlark_arguments *all;
	size_t n;
	struct place place;
};

typedef struct starlark_value builtin_call(const struct use *);

bool
starlark_is_builtin(struct str name)
{
	return str_is_one_of(name,
	    "None True False abs any all bool chr dict dir enumerate fail "
	    "float getattr "
	    "hasattr hash int len list max min ord range repr reversed set "
	    "sorted str "
	    "tuple type zip");
}

static struct starlark_value
not_read(const struct use *u)
{
	return starlark_unread(
	    u->s, u->place, STR("a call with such arguments"));
}

/* Returns whether the value is one whose items can be gone through. */
static bool
is_list(const struct starlark_value *v)
{
	return v->type == STARLARK_LIST || v->type == STARLARK_TUPLE;
}

/* ---- functions ---- */

static struct starlark_value
call_len(const struct use *u)
{
	const struct starlark_value *v = &u->args[0];

	if (is_list(v))
		return starlark_of_int((int64_t)v->list->n);
	if (v->type == STARLARK_DICT)
		return starlark_of_int((int64_t)v->list->n / 2);
	if (v->type == STARLARK_STRING)
		return starlark_of_int((int64_t)str_characters(v->text));
	return starlark_mistake(u->s, u->place,
	    "expected a string or list for len, found %s",
	    starlark_type_name(v));
}

static struct starlark_value
call_str(const struct use *u)
{
	return starlark_of_text(
	    starlark_show(u->s, &u->args[0], false, u->place));
}

static struct starlark_value
call_repr(const struct use *u)
{
	return starlark_of_text(
	    starlark_show(u->s, &u->args[0], true, u->place));
}

static struct starlark_value
call_bool(const struct use *u)
{
	return starlark_of_bool(starlark_truth(&u->args[0]));
}

/* Returns a copy of a list that can grow. */
static struct starlark_value
copy(const struct use *u, enum starlark_type type,
    const struct starlark_list *of)
{
	struct starlark_value v = starlark_of_list(u->s, type, NULL, 0);

	for (size_t i = 0; i < of->n && starlark_spend(u->s, 1, u->place); i++)
		*arena_push(u->s->arena, v.list->items, v.list->n) =
		    of->items[i];
	return v;
}

static struct starlark_value
call_list(const struct use *u)
{
	if (u->n == 0)
		return starlark_of_list(u->s, STARLARK_LIST, NULL, 0);
	if (!is_list(&u->args[0]))
		return not_read(u);
	return copy(u, STARLARK_LIST, u->args[0].list);
}

static struct starlark_value
call_tuple(const struct use *u)
{
	struct starlark_value v = call_list(u);

	v.type = v.type == STARLARK_LIST ? STARLARK_TUPLE : v.type;
	return v;
}

static struct starlark_value
call_range(const struct use *u)
{
	struct starlark_value v =
	    starlark_of_list(u->s, STARLARK_LIST, NULL, 0);
	int64_t from = 0, to, step = 1;

	for (size_t i = 0; i < u->n; i++)
		if (u->args[i].type != STARLARK_INT)
			return not_read(u);
	to = u->args[u->n > 1 ? 1 : 0].number;
	if (u->n > 1)
		from = u->args[0].number;
	if (u->n > 2)
		step = u->args[2].number;
	if (step <= 0 || to > INT64_MAX - step)
		return not_read(u);
	for (; from < to && starlark_spend(u->s, 1, u->place); from += step)
		*arena_push(u->s->arena, v.list->items, v.list->n) =
		    starlark_of_int(from);
	return v;
}

static struct starlark_value
call_enumerate(const struct use *u)
{
	struct starlark_value v, *pair;

	if (!is_list(&u->args[0]))
		return not_read(u);
	v = copy(u, STARLARK_LIST, u->args[0].list);
	for (size_t i = 0; i < v.list->n && starlark_spend(u->s, 2, u->place);
	     i++) {
		pair = arena_new_n(u->s->arena, struct starlark_value, 2);
		pair[0] = starlark_of_int((int64_t)i);
		pair[1] = v.list->items[i];
		v.list->items[i] =
		    starlark_of_list(u->s, STARLARK_TUPLE, pair, 2);
	}
	return v;
}

static int
by_text(const void *a, const void *b)
{
	const struct starlark_value *x = a, *y = b;

	return str_cmp(x->text, y->text);
}

static struct starlark_value
call_sorted(const struct use *u)
{
	struct starlark_value v;

	if (!is_list(&u->args[0]))
		return not_read(u);
	v = copy(u, STARLARK_LIST, u->args[0].list);
	for (size_t i = 0; i < v.list->n; i++)
		if (v.list->items[i].type != STARLARK_STRING)
			return not_read(u);
	if (v.list->n > 1)
		qsort(v.list->items, v.list->n, sizeof *v.list->items, by_text);
	return v;
}

static struct starlark_value
call_fail(const struct use *u)
{
	struct str text = u->n == 0
	    ? STR("nothing")
	    : starlark_show(u->s, &u->args[0], false, u->place);

	return starlark_mistake(u->s, u->place,
	    "expected no call of fail, found one: %.*s", STR_FMT(text));
}

/* ---- methods of strings ---- */

static struct starlark_value
call_join(const struct use *u)
{
	const struct starlark_value *v = &u->args[0];
	struct str *parts;

	if (!is_list(v))
		return not_read(u);
	parts = arena_new_n(u->s->arena, struct str, v->list->n + 1);
	for (size_t i = 0; i < v->list->n; i++) {
		parts[i] = v->list->items[i].text;
		if (v->list->items[i].type != STARLARK_STRING)
			return starlark_mistake(u->s, u->place,
			    "expected strings to join, found %s",
			    starlark_type_name(&v->list->items[i]));
		if (!starlark_spend(
			u->s, parts[i].n + u->self.text.n + 1, u->place))
			return *v;
	}
	return starlark_of_text(
	    str_join(u->s->arena, parts, v->list->n, u->self.text));
}

static struct starlark_value
call_split(const struct use *u)
{
	struct starlark_value v =
	    starlark_of_list(u->s, STARLARK_LIST, NULL, 0);
	struct str sep = u->n == 0 ? STR(" ") : u->args[0].text;
	struct str rest =
	    u->n == 0 ? str_squeeze(u->s->arena, u->self.text) : u->self.text;
	size_t at = 0;

	if (sep.n == 0 || (u->n == 0 && rest.n == 0))
		return u->n == 0 ? v : not_read(u);
	while (at < rest.n + 1 && starlark_spend(u->s, 1, u->place)) {
		size_t end = at + str_find(str_from(rest, at), sep);

		*arena_push(u->s->arena, v.list->items, v.list->n) =
		    starlark_of_text(str_slice(rest, at, end));
		if (end >= rest.n)
			break;
		at = end + sep.n;
	}
	return v;
}

static struct starlark_value
call_replace(const struct use *u)
{
	struct str text;

	if (u->args[0].text.n == 0)
		return not_read(u);
	if (u->self.text.n > 0 &&
	    u->args[1].text.n > STARLARK_BUDGET / u->self.text.n)
		return not_read(u);
	text = str_replace(
	    u->s->arena, u->self.text, u->args[0].text, u->args[1].text);
	starlark_spend(u->s, text.n, u->place);
	return starlark_of_text(text);
}

static struct starlark_value
call_starts(const struct use *u)
{
	return starlark_of_bool(str_starts(u->self.text, u->args[0].text));
}

static struct starlark_value
call_ends(const struct use *u)
{
	return starlark_of_bool(str_ends(u->self.text, u->args[0].text));
}

static struct starlark_value
call_strip(const struct use *u)
{
	return starlark_of_text(str_trim(u->self.text));
}

/* Replaces each {} of the text by the next argument, {0} and {name} by theirs. */
static struct starlark_value
call_format(const struct use *u)
{
	struct str rest = u->self.text, *parts = NULL;
	size_t n = 0, next = 0;

	while (rest.n > 0 && !starlark_stopped(u->s)) {
		size_t open = str_find_char(rest, '{');
		size_t close = str_find_char(rest, '}');
		struct str name = str_slice(rest, open + 1, close);
		size_t i = 0;

		if (close < open || (open < rest.n && close == rest.n) ||
		    str_find_char(name, '{') < name.n)
			return not_read(u);
		*arena_push(u->s->arena, parts, n) = str_slice(rest, 0, open);
		rest = str_from(rest, close + 1);
		if (open >= close)
			break;
		if (name.n == 0)
			i = next++;
		else
			while (i < u->n &&
			    !str_eq(name,
				u->all->names[i].s != NULL
				    ? u->all->names[i]
				    : str_int(u->s->arena, (int64_t)i)))
				i++;
		if (i >= u->n)
			return not_read(u);
		*arena_push(u->s->arena, parts, n) =
		    starlark_show(u->s, &u->args[i], false, u->place);
	}
	return starlark_of_text(str_join(u->s->arena, parts, n, STR("")));
}

/* ---- methods of lists and dicts ---- */

static struct starlark_value
call_append(const struct use *u)
{
	struct starlark_value one = u->args[0];
	struct starlark_value sum = starlark_operate(u->s, STR("+"), u->self,
	    starlark_of_list(u->s, STARLARK_LIST, &one, 1), u->place);

	if (!starlark_stopped(u->s))
		*u->self.list = *sum.list;
	return (struct starlark_value){ .type = STARLARK_NONE };
}

static struct starlark_value
call_extend(const struct use *u)
{
	struct starlark_value more = u->args[0], sum;

	if (!is_list(&more))
		return not_read(u);
	more.type = STARLARK_LIST;
	sum = starlark_operate(u->s, STR("+"), u->self, more, u->place);
	if (!starlark_stopped(u->s))
		*u->self.list = *sum.list;
	return (struct starlark_value){ .type = STARLARK_NONE };
}

/* Returns every second item of a dict from this one on. */
static struct starlark_value
every_second(const struct use *u, size_t first)
{
	struct starlark_value v =
	    starlark_of_list(u->s, STARLARK_LIST, NULL, 0);

	for (size_t i = first;
	     i < u->self.list->n && starlark_spend(u->s, 1, u->place); i += 2)
		*arena_push(u->s->arena, v.list->items, v.list->n) =
		    u->self.list->items[i];
	return v;
}

static struct starlark_value
call_keys(const struct use *u)
{
	return every_second(u, 0);
}

static struct starlark_value
call_values(const struct use *u)
{
	return every_second(u, 1);
}

static struct starlark_value
call_items(const struct use *u)
{
	struct starlark_value v = every_second(u, 0);

	for (size_t i = 0; i < v.list->n; i++)
		v.list->items[i] = starlark_of_list(
		    u->s, STARLARK_TUPLE, &u->self.list->items[2 * i], 2);
	return v;
}

static struct starlark_value
call_get(const struct use *u)
{
	const struct starlark_value *v =
	    starlark_find(u->s, u->self.list, &u->args[0], u->place);

	if (v != NULL)
		return *v;
	return u->n > 1 ? u->args[1]
			: (struct starlark_value){ .type = STARLARK_NONE };
}

/* ---- the table ---- */

struct builtin {
	const char *name;
	builtin_call *call;
	size_t least, most;
	bool strings; /* the arguments must be strings */
	bool names;   /* arguments may have names */
};

static const struct builtin functions[] = {
	{ .name = "len", .call = call_len, .least = 1, .most = 1 },
	{ .name = "str", .call = call_str, .least = 1, .most = 1 },
	{ .name = "repr", .call = call_repr, .least = 1, .most = 1 },
	{ .name = "bool", .call = call_bool, .least = 1, .most = 1 },
	{ .name = "list", .call = call_list, .most = 1 },
	{ .name = "tuple", .call = call_tuple, .most = 1 },
	{ .name = "range", .call = call_range, .least = 1, .most = 3 },
	{ .name = "enumerate", .call = call_enumerate, .least = 1, .most = 1 },
	{ .name = "sorted", .call = call_sorted, .least = 1, .most = 1 },
	{ .name = "fail", .call = call_fail, .most = 100 },
	{ 0 },
};
static const struct builtin of_strings[] = {
	{ .name = "join", .call = call_join, .least = 1, .most = 1 },
	{ .name = "split", .call = call_split, .most = 1, .strings = true },
	{ .name = "replace",
	    .call = call_replace,
	    .least = 2,
	    .most = 2,
	    .strings = true },
	{ .name = "startswith",
	    .call = call_starts,
	    .least = 1,
	    .most = 1,
	    .strings = true },
	{ .name = "endswith",
	    .call = call_ends,
	    .least = 1,
	    .most = 1,
	    .strings = true },
	{ .name = "strip", .call = call_strip },
	{ .name = "format", .call = call_format, .most = 100, .names = true },
	{ 0 },
};
static const struct builtin of_lists[] = {
	{ .name = "append", .call = call_append, .least = 1, .most = 1 },
	{ .name = "extend", .call = call_extend, .least = 1, .most = 1 },
	{ 0 },
};
static const struct builtin of_dicts[] = {
	{ .name = "keys", .call = call_keys },
	{ .name = "values", .call = call_values },
	{ .name = "items", .call = call_items },
	{ .name = "get", .call = call_get, .least = 1, .most = 2 },
	{ 0 },
};
static const struct builtin none[] = { { 0 } };

/* Returns whether this module knows what the builtin does with these arguments. */
static bool
takes(const struct builtin *b, const struct starlark_arguments *args)
{
	if (args->n < b->least || args->n > b->most)
		return false;
	for (size_t i = 0; i < args->n; i++)
		if ((args->names[i].s != NULL && !b->names) ||
		    (args->values[i].type != STARLARK_STRING && b->strings))
			return false;
	return true;
}

struct starlark_value
starlark_builtin(struct starlark *s, const struct starlark_callee *f,
    const struct starlark_arguments *args, struct place place)
{
	const struct builtin *b = f->self.type == STARLARK_ABSENT ? functions
	    : f->self.type == STARLARK_STRING                     ? of_strings
	    : f->self.type == STARLARK_LIST                       ? of_lists
	    : f->self.type == STARLARK_DICT                       ? of_dicts
								  : none;
	struct use u = { .s = s,
		.self = f->self,
		.args = args->values,
		.all = args,
		.n = args->n,
		.place = place };

	while (b->name != NULL && !str_is(f->builtin, b->name))
		b++;
	if (b->name != NULL && takes(b, args))
		return b->call(&u);
	return starlark_unread(s, place,
	    str_cat(s->arena, f->builtin, STR("() of these arguments")));
}
