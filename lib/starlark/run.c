/* Runs statements, and leaves out those that are not read. */
#include "starlark/run.h"

static struct starlark_value eval(struct starlark *, const struct sl_node *);
static void exec(struct starlark *, const struct sl_node *block);
static void forget(struct starlark *, const struct sl_node *, unsigned depth);
static void loop(
    struct starlark *, const struct sl_node *, const struct starlark_value *);

/* ---- what stops a run ---- */

void
starlark_refuse(struct starlark *s, struct place place, const char *format, ...)
{
	va_list args;

	if (s->wrong.s == NULL) {
		va_start(args, format);
		s->wrong = str_vprintf(s->arena, format, args);
		va_end(args);
		s->wrong_at = place;
	}
	if (s->run != NULL)
		s->run->stop = STOP_REFUSED;
}

static bool
stopped(const struct starlark *s)
{
	return s->run->stop != STOP_NOT;
}

struct starlark_value
sl_unread(struct starlark *s, struct place place, const char *why)
{
	if (!stopped(s)) {
		s->run->stop = STOP_UNREAD;
		s->run->unread_at = place;
		s->run->unread_why = str_of(why);
	}
	return sl_of(STARLARK_UNREAD, 0);
}

bool
sl_spend(struct starlark *s, size_t amount, struct place place)
{
	struct sl_run *r = s->run;

	if (amount > SL_BUDGET - r->spent) {
		r->exhausted = true;
		sl_unread(s, place, "a file that needs so many steps");
		return false;
	}
	r->spent += amount;
	return !stopped(s);
}

/* ---- names ---- */

static void
define(struct starlark *s, struct str name, struct starlark_value value)
{
	struct starlark_value *v = arena_new(s->arena, struct starlark_value);

	*v = value;
	*hash_put(&s->run->scope->names, name) = v;
}

static void
call_len(struct starlark *s, const struct starlark_value *v, struct place place)
{
	if (sl_is_list(v))
		s->run->returned = sl_of(STARLARK_INT, (int64_t)v->list->n);
	else if (v->type == STARLARK_STRING)
		s->run->returned =
		    sl_of(STARLARK_INT, (int64_t)str_characters(v->text));
	else
		sl_unread(s, place, "len() of no string or list");
}

static struct starlark_value
of_callee(struct starlark *s, struct sl_callee callee)
{
	struct sl_callee *c = arena_new(s->arena, struct sl_callee);

	*c = callee;
	return (
	    struct starlark_value){ .type = STARLARK_FUNCTION, .function = c };
}

static struct starlark_value
named(struct starlark *s, const struct sl_node *n)
{
	static const struct starlark_function len = { "len", "x", 1, call_len };
	const struct starlark_function *f = s->functions;
	const struct starlark_value *v = NULL;

	for (struct sl_scope *at = s->run->scope; at != NULL && v == NULL;
	     at = at->up)
		v = hash_get(&at->names, n->text);
	if (v != NULL && v->type != STARLARK_UNREAD &&
	    !(sl_is_list(v) && v->list->changed))
		return *v;
	if (v != NULL)
		return sl_unread(
		    s, n->place, "a name that depends on what is not read");
	if (str_is_one_of(n->text, "True False"))
		return sl_of(STARLARK_BOOL, str_is(n->text, "True"));
	if (str_is(n->text, "None"))
		return sl_of(STARLARK_NONE, 0);
	while (f->name != NULL && !str_is(n->text, f->name))
		f++;
	f = str_is(n->text, "len") ? &len : f;
	return f->name != NULL
	    ? of_callee(s, (struct sl_callee){ .function = f })
	    : sl_unread(s, n->place,
		  "a name without a value, or a function "
		  "of Starlark other than len");
}

/* Assigns to a name, or to several names the items of a list. */
static void
assign(struct starlark *s, const struct sl_node *target,
    const struct starlark_value *v)
{
	const struct sl_node *t = target->first;
	bool several = target->kind == SL_TUPLE || target->kind == SL_LIST;
	size_t i = 0;

	if (target->kind == SL_NAME)
		define(s, target->text, *v);
	else if (several && v->type == STARLARK_UNREAD)
		for (; t != NULL; t = t->next)
			assign(s, t, v);
	else if (several && sl_is_list(v)) {
		for (; t != NULL; t = t->next)
			if (i++ < v->list->n && !stopped(s))
				assign(s, t, &v->list->items[i - 1]);
		if (i != v->list->n)
			sl_unread(s, target->place,
			    "names of another number than the values");
	} else
		sl_unread(s, target->place,
		    "an assignment to an item, or of no list to several names");
}

/* ---- lists ---- */

static struct starlark_value
list(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value v = sl_of_list(
	    s, n->kind == SL_TUPLE ? STARLARK_TUPLE : STARLARK_LIST, NULL, 0);

	for (n = n->first; n != NULL && !stopped(s); n = n->next) {
		struct starlark_value item = eval(s, n);

		*arena_push(s->arena, v.list->items, v.list->n) = item;
	}
	return v;
}

/* Returns the list of a comprehension, which runs as loops that add to it. */
static struct starlark_value
comprehension(struct starlark *s, const struct sl_node *n)
{
	struct sl_run *r = s->run;
	struct starlark_value all = sl_of_list(s, STARLARK_LIST, NULL, 0);
	/* Only the first list does not see the names that are bound. */
	struct starlark_value first = eval(s, n->first->first->next);
	struct sl_scope scope = { .names.arena = s->arena, .up = r->scope };
	struct starlark_list *outer = r->list;

	r->scope = &scope;
	r->list = all.list;
	r->within++;
	forget(s, n->first, 0);
	loop(s, n->first, &first);
	r->within--;
	r->list = outer;
	r->scope = scope.up;
	return all;
}

/* Returns the place in a list of n items that an end of a slice names, or `otherwise`
 * if the end is left out; `before` if it is before the list. */
static size_t
bound(struct starlark *s, const struct sl_node *node, size_t n,
    size_t otherwise, size_t before)
{
	struct starlark_value v;

	if (node->kind == SL_ABSENT)
		return otherwise;
	v = eval(s, node);
	if (v.type != STARLARK_INT) {
		sl_unread(s, node->place, "an index that is no number");
		return otherwise;
	}
	if (v.number < 0)
		return v.number < -(int64_t)n ? before : n - (size_t)-v.number;
	return v.number > (int64_t)n ? n : (size_t)v.number;
}

static struct starlark_value
slice(struct starlark *s, const struct sl_node *n)
{
	const struct sl_node *from = n->first->next, *to = from->next;
	struct starlark_value of = eval(s, n->first), empty;
	bool text = of.type == STARLARK_STRING;
	size_t size, a, b;

	if (!stopped(s) &&
	    !(text ? to != NULL && str_characters(of.text) == of.text.n
		   : sl_is_list(&of)))
		sl_unread(s, n->place, "such an index");
	if (stopped(s))
		return of;
	size = text ? of.text.n : of.list->n;
	a = bound(s, from, size, 0, to != NULL ? 0 : size);
	b = to != NULL ? bound(s, to, size, size, 0) : size;
	if (text)
		return sl_of_text(str_slice(of.text, a, b));
	if (to == NULL)
		return a < size
		    ? of.list->items[a]
		    : sl_unread(s, n->place, "an index outside the list");
	/* The sum is a copy. */
	empty = sl_of_list(s, of.type, NULL, 0);
	if (a >= b)
		return empty;
	of = sl_of_list(s, of.type, of.list->items + a, b - a);
	return sl_operate(s, STR("+"), &of, &empty, n->place);
}

/* ---- functions ---- */

static struct starlark_value
function(struct starlark *s, const struct sl_node *def)
{
	struct sl_callee f = { .def = def, .scope = s->run->scope };
	size_t n = 0;

	for (const struct sl_node *p = def->first; p != def->last;
	     p = p->next) {
		struct starlark_value v = { 0 };

		if (p->kind == SL_OTHER || p->first != NULL)
			v = eval(s, p->kind == SL_OTHER ? p : p->first);
		*arena_push(s->arena, f.names, n) = p->text;
		*arena_push(s->arena, f.defaults, f.n) = v;
	}
	return of_callee(s, f);
}

/* Gives the arguments of the call to the parameters. */
static void
fill(struct starlark *s, const struct sl_callee *f,
    struct starlark_value *slots, const struct sl_node *call)
{
	const struct sl_node *a = call->first->next;

	for (size_t i = 0; a != NULL && !stopped(s); a = a->next, i++) {
		bool named = a->text.s != NULL;
		size_t at = named ? 0 : i;

		while (named && at < f->n && !str_eq(f->names[at], a->text))
			at++;
		if (at >= f->n)
			starlark_refuse(s, a->place,
			    "expected a parameter of the function, found %.*s",
			    STR_FMT(
				named ? a->text : STR("one more argument")));
		else if (slots[at].type != STARLARK_ABSENT)
			starlark_refuse(s, a->place,
			    "expected the argument %.*s once, found it twice",
			    STR_FMT(a->text));
		else
			slots[at] = eval(s, a->first);
	}
}

static struct starlark_value
call_def(struct starlark *s, const struct sl_callee *f,
    const struct starlark_value *slots)
{
	struct sl_run *r = s->run;
	struct sl_scope *outer = r->scope;

	/* A function that the call defines keeps the scope. */
	r->scope = arena_new(s->arena, struct sl_scope);
	r->scope->names.arena = s->arena;
	r->scope->up = f->scope;
	r->within++;
	/* Its names are none of those around it, even before they are bound. */
	forget(s, f->def->last, 0);
	for (size_t i = 0; i < f->n; i++)
		define(s, f->names[i], slots[i]);
	exec(s, f->def->last);
	if (r->stop != STOP_RETURN)
		r->returned = sl_of(STARLARK_NONE, 0);
	else
		r->stop = STOP_NOT;
	r->within--;
	r->scope = outer;
	return r->returned;
}

static struct starlark_value
call(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value v, *slots;
	struct sl_callee f;
	struct str rest;
	size_t required;

	v = eval(s, n->first);
	if (v.type != STARLARK_FUNCTION)
		return sl_unread(s, n->place, "a call of no function");
	f = *v.function;
	required = f.def != NULL ? f.n : f.function->required;
	rest =
	    f.def == NULL ? str_of(f.function->parameters) : (struct str){ 0 };
	while (rest.s != NULL)
		*arena_push(s->arena, f.names, f.n) = str_cut(&rest, ' ');
	slots = arena_new_n(
	    s->arena, struct starlark_value, f.n + STARLARK_PARAMETERS);
	fill(s, &f, slots, n);
	for (size_t i = 0; i < required; i++) {
		if (slots[i].type == STARLARK_ABSENT && f.def != NULL)
			slots[i] = f.defaults[i];
		if (slots[i].type == STARLARK_ABSENT && !stopped(s))
			starlark_refuse(s, n->place,
			    "expected an argument %.*s, found none",
			    STR_FMT(f.names[i]));
	}
	if (!sl_spend(s, 20, n->place))
		return v;
	if (f.def != NULL)
		return call_def(s, &f, slots);
	s->run->returned = sl_of(STARLARK_NONE, 0);
	f.function->call(s, slots, n->place);
	return s->run->returned;
}

/* ---- expressions ---- */

/* Evaluates an operator with one operand or two, a condition, a formatted string. */
static struct starlark_value
operate(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value a = eval(s, n->first), b;

	if (stopped(s))
		return a;
	if (n->kind == SL_CONDITION)
		return eval(s, sl_truth(&a) ? n->first->next : n->last);
	if (n->kind == SL_FORMATTED) {
		for (n = n->first->next; n != NULL && !stopped(s);
		     n = n->next) {
			b = eval(s, n);
			b = sl_show(s, &b, n->place);
			a = sl_operate(s, STR("+"), &a, &b, n->place);
		}
		return a;
	}
	if (str_is(n->text, "not"))
		return sl_of(STARLARK_BOOL, !sl_truth(&a));
	if (n->kind == SL_UNARY)
		return a.type == STARLARK_INT && str_is(n->text, "-")
		    ? sl_of(STARLARK_INT, -a.number)
		    : sl_unread(s, n->place, "a sign before this");
	if (str_is_one_of(n->text, "and or"))
		return sl_truth(&a) == str_is(n->text, "or") ? a
							     : eval(s, n->last);
	b = eval(s, n->last);
	return sl_operate(s, n->text, &a, &b, n->place);
}

static struct starlark_value
number(const struct sl_node *n)
{
	struct starlark_value v = sl_of(STARLARK_INT, 0);

	for (size_t i = 0; i < n->text.n; i++)
		v.number = v.number * 10 + (n->text.s[i] - '0');
	return v;
}

static struct starlark_value
eval(struct starlark *s, const struct sl_node *n)
{
	static struct starlark_value (*const evals[])(
	    struct starlark *, const struct sl_node *) = {
		[SL_NAME] = named,
		[SL_LIST] = list,
		[SL_TUPLE] = list,
		[SL_COMPREHENSION] = comprehension,
		[SL_FORMATTED] = operate,
		[SL_CONDITION] = operate,
		[SL_UNARY] = operate,
		[SL_BINARY] = operate,
		[SL_CALL] = call,
		[SL_SLICE] = slice,
	};
	struct starlark_value v = sl_of(STARLARK_UNREAD, 0);

	if (s->run->depth++ >= SL_NESTED)
		sl_unread(
		    s, n->place, "an expression that is nested too deeply");
	else if (n->kind == SL_OTHER)
		sl_unread(s, n->place, n->text.s);
	else if (sl_spend(s, 1, n->place))
		v = n->kind == SL_STRING ? sl_of_text(n->text)
		    : n->kind == SL_INT  ? number(n)
					 : evals[n->kind](s, n);
	s->run->depth--;
	return stopped(s) ? sl_of(STARLARK_UNREAD, 0) : v;
}

/* ---- statements ---- */

static void
assignment(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value v = eval(s, n->last), old;

	if (n->text.n > 0) {
		old = eval(s, n->first);
		if (!stopped(s))
			v = sl_operate(s, n->text, &old, &v, n->place);
		if (!stopped(s) && old.type == STARLARK_LIST) {
			if (old.list->loops > 0)
				sl_unread(s, n->place,
				    "a list that its loop changes");
			old.list->items = v.list->items;
			old.list->n = v.list->n;
			return;
		}
	}
	if (!stopped(s))
		assign(s, n->first, &v);
}

/* Runs a loop through a list, which the loop must not change. */
static void
loop(
    struct starlark *s, const struct sl_node *n, const struct starlark_value *v)
{
	struct sl_run *r = s->run;

	if (!sl_is_list(v)) {
		sl_unread(
		    s, n->place, "a loop through something else than a list");
		return;
	}
	v->list->loops++;
	for (size_t i = 0; !stopped(s) && i < v->list->n; i++) {
		assign(s, n->first, &v->list->items[i]);
		exec(s, n->last);
		if (r->stop == STOP_CONTINUE)
			r->stop = STOP_NOT;
	}
	v->list->loops--;
	if (r->stop == STOP_BREAK)
		r->stop = STOP_NOT;
}

static void
choose(struct starlark *s, const struct sl_node *n)
{
	while (n != NULL && n->kind == SL_IF) {
		struct starlark_value v = eval(s, n->first);

		if (stopped(s))
			return;
		n = sl_truth(&v) ? n->first->next : n->first->next->next;
	}
	if (n != NULL)
		exec(s, n);
}

static void
jump(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value v = sl_of(STARLARK_NONE, 0);

	if (n->first != NULL)
		v = eval(s, n->first);
	if (stopped(s) || str_is(n->text, "pass"))
		return;
	s->run->returned = v;
	s->run->stop = n->kind == SL_RETURN ? STOP_RETURN
	    : str_is(n->text, "break")      ? STOP_BREAK
					    : STOP_CONTINUE;
}

/* Makes the names unread that a statement binds, and the lists that it names, since
 * it may change them. */
static void
forget(struct starlark *s, const struct sl_node *n, unsigned depth)
{
	struct starlark_value none = sl_of(STARLARK_UNREAD, 0), *v = NULL;

	if (depth == SL_NESTED) {
		s->run->exhausted = true;
		sl_unread(
		    s, n->place, "an expression that is nested too deeply");
	}
	if (!sl_spend(s, 1, n->place) && s->run->exhausted)
		return;
	if (n->kind == SL_NAME)
		v = hash_get(&s->run->scope->names, n->text);
	if (v != NULL && sl_is_list(v))
		v->list->changed = true;
	if (n->kind == SL_ASSIGN || n->kind == SL_FOR)
		assign(s, n->first, &none);
	if (n->kind == SL_DEF)
		define(s, n->text, none);
	for (n = n->first; n != NULL; n = n->next)
		forget(s, n, depth + 1);
}

/* Leaves an unread statement out. What a def lacks, its call lacks. */
static void
leave_out(struct starlark *s, struct sl_node *n)
{
	struct sl_run *r = s->run;

	if (r->stop != STOP_UNREAD || r->within > 0)
		return;
	if (!n->reported)
		s->unread(s, r->unread_at, r->unread_why);
	n->reported = true;
	forget(s, n, 0);
	r->stop = STOP_NOT;
}

static void
exec_one(struct starlark *s, const struct sl_node *n)
{
	struct starlark_value v;

	if (n->kind == SL_ASSIGN)
		assignment(s, n);
	else if (n->kind == SL_FOR) {
		v = eval(s, n->first->next);
		loop(s, n, &v);
	} else if (n->kind == SL_IF)
		choose(s, n);
	else if (n->kind == SL_RETURN || n->kind == SL_JUMP)
		jump(s, n);
	else {
		v = n->kind == SL_DEF
		    ? function(s, n)
		    : eval(s, n->kind == SL_ITEM ? n->first : n);
		if (n->kind == SL_DEF && !stopped(s))
			define(s, n->text, v);
		if (n->kind == SL_ITEM && !stopped(s))
			*arena_push(
			    s->arena, s->run->list->items, s->run->list->n) = v;
	}
}

static void
exec(struct starlark *s, const struct sl_node *block)
{
	struct sl_run *r = s->run;

	if (r->depth++ >= SL_NESTED)
		sl_unread(s, block->place, "a block that is nested too deeply");
	for (struct sl_node *n = block->first;
	     n != NULL && !stopped(s) && !r->exhausted; n = n->next) {
		if (sl_spend(s, 1, n->place))
			exec_one(s, n);
		leave_out(s, n);
	}
	r->depth--;
}

bool
starlark_run(struct starlark *s)
{
	struct sl_node *file = sl_parse(s);
	struct sl_scope globals = { .names.arena = s->arena };
	struct sl_run run = { .scope = &globals };

	if (file == NULL)
		return false;
	s->run = &run;
	exec(s, file);
	s->run = NULL;
	return s->wrong.s == NULL;
}
