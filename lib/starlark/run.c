/* Runs statements, and leaves out those that are not read. */
#include "starlark/run.h"

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

struct starlark_value
starlark_mistake(
    struct starlark *s, struct place place, const char *format, ...)
{
	va_list args;
	struct str text;

	if (!starlark_stopped(s)) {
		va_start(args, format);
		text = str_vprintf(s->arena, format, args);
		va_end(args);
		starlark_refuse(s, place, "%.*s", STR_FMT(text));
	}
	return (struct starlark_value){ .type = STARLARK_UNREAD };
}

struct starlark_value
starlark_unread(struct starlark *s, struct place place, struct str why)
{
	if (!starlark_stopped(s)) {
		s->run->stop = STOP_UNREAD;
		s->run->unread_at = place;
		s->run->unread_why = why;
	}
	return (struct starlark_value){ .type = STARLARK_UNREAD };
}

bool
starlark_spend(struct starlark *s, size_t amount, struct place place)
{
	struct starlark_run *r = s->run;

	if (amount > STARLARK_BUDGET - r->spent) {
		r->exhausted = true;
		starlark_unread(
		    s, place, STR("a file that needs so many steps"));
		return false;
	}
	r->spent += amount;
	return !starlark_stopped(s);
}

/* ---- scopes ---- */

void
starlark_define(
    struct starlark *s, struct str name, struct starlark_value value)
{
	struct starlark_value *v = arena_new(s->arena, struct starlark_value);

	*v = value;
	*hash_put(&s->run->scope->names, name) = v;
}

static void
forget_name(struct starlark *s, struct str name)
{
	starlark_define(
	    s, name, (struct starlark_value){ .type = STARLARK_UNREAD });
}

static void
forget_target(struct starlark *s, const struct starlark_node *n)
{
	if (n->kind == NODE_NAME)
		forget_name(s, n->text);
	else if (n->kind == NODE_TUPLE || n->kind == NODE_LIST)
		for (n = n->first; n != NULL; n = n->next)
			forget_target(s, n);
}

/* Makes the names that the statement may change unread ones: those that it binds,
 * and the lists and dicts that it mentions. */
static void
forget(struct starlark *s, const struct starlark_node *n, unsigned depth)
{
	const struct starlark_value *v;

	if (depth == STARLARK_NESTED) {
		s->run->exhausted = true;
		return;
	}
	if (n->kind == NODE_ASSIGN || n->kind == NODE_FOR)
		forget_target(s, n->first);
	else if (n->kind == NODE_DEF)
		forget_name(s, n->text);
	else if (n->kind == NODE_NAME) {
		v = hash_get(&s->run->scope->names, n->text);
		if (v != NULL &&
		    (v->type == STARLARK_LIST || v->type == STARLARK_DICT))
			forget_name(s, n->text);
	}
	for (n = n->first; n != NULL; n = n->next)
		forget(s, n, depth + 1);
}

/* ---- calls ---- */

/* Fills the slots, one for each of n parameters, with the arguments. */
static bool
bind(struct starlark *s, const struct str *names,
    const struct starlark_arguments *args, struct starlark_value *slots,
    struct place place)
{
	size_t n = 0;

	while (names[n].s != NULL)
		n++;
	for (size_t i = 0; i < args->n; i++) {
		size_t at = i;

		if (args->names[i].s != NULL)
			for (at = 0;
			     at < n && !str_eq(names[at], args->names[i]);)
				at++;
		if (at >= n) {
			starlark_mistake(s, place,
			    "expected at most %zu arguments, and names of "
			    "these, found %.*s",
			    n,
			    STR_FMT(args->names[i].s == NULL ? STR("more")
							     : args->names[i]));
			return false;
		}
		if (slots[at].type != STARLARK_ABSENT) {
			starlark_mistake(s, place,
			    "expected %.*s once, found it twice",
			    STR_FMT(names[at]));
			return false;
		}
		slots[at] = args->values[i];
	}
	return true;
}

static void
call_of_caller(struct starlark *s, const struct starlark_function *f,
    const struct starlark_arguments *args, struct place place)
{
	struct starlark_value slots[STARLARK_PARAMETERS] = { 0 };
	struct str names[STARLARK_PARAMETERS + 1] = { 0 };
	struct str rest = str_of(f->parameters);

	for (size_t i = 0; rest.s != NULL && i < STARLARK_PARAMETERS; i++)
		names[i] = str_cut(&rest, ' ');
	if (!starlark_spend(s, 100, place) ||
	    !bind(s, names, args, slots, place))
		return;
	for (size_t i = 0; i < f->required; i++)
		if (slots[i].type == STARLARK_ABSENT) {
			starlark_mistake(s, place,
			    "expected an argument %.*s, found none",
			    STR_FMT(names[i]));
			return;
		}
	f->call(s, slots, place);
}

/* Defines the parameters in the scope of the call. */
static void
enter_def(struct starlark *s, const struct starlark_callee *f,
    const struct starlark_arguments *args, struct place place)
{
	const struct starlark_node *p;
	struct starlark_value *slots;
	struct str *names;
	size_t n = 0;

	for (p = f->def->first; p != f->def->last; p = p->next)
		n++;
	names = arena_new_n(s->arena, struct str, n + 1);
	slots = arena_new_n(s->arena, struct starlark_value, n + 1);
	n = 0;
	for (p = f->def->first; p != f->def->last; p = p->next) {
		if (p->kind == NODE_OTHER)
			starlark_unread(s, p->place, p->text);
		names[n++] = p->text;
	}
	if (starlark_stopped(s) || !bind(s, names, args, slots, place))
		return;
	n = 0;
	for (p = f->def->first; p != f->def->last; p = p->next, n++) {
		if (slots[n].type == STARLARK_ABSENT && p->first == NULL)
			starlark_mistake(s, place,
			    "expected an argument %.*s, found none",
			    STR_FMT(p->text));
		else if (slots[n].type == STARLARK_ABSENT)
			slots[n] = starlark_eval(s, p->first);
		starlark_define(s, p->text, slots[n]);
	}
}

static struct starlark_value
call_def(struct starlark *s, const struct starlark_callee *f,
    const struct starlark_arguments *args, struct place place)
{
	struct starlark_run *r = s->run;
	struct starlark_scope scope = { .names.arena = s->arena,
		.up = f->scope };
	struct starlark_scope *outer = r->scope;

	r->scope = &scope;
	r->defs++;
	r->returned = (struct starlark_value){ .type = STARLARK_NONE };
	enter_def(s, f, args, place);
	if (!starlark_stopped(s))
		starlark_exec(s, f->def->last);
	if (r->stop == STOP_RETURN)
		r->stop = STOP_NOT;
	r->defs--;
	r->scope = outer;
	return r->returned;
}

struct starlark_value
starlark_call(struct starlark *s, const struct starlark_callee *f,
    const struct starlark_arguments *args, struct place place)
{
	if (f->def != NULL)
		return call_def(s, f, args, place);
	if (f->function == NULL)
		return starlark_builtin(s, f, args, place);
	call_of_caller(s, f->function, args, place);
	return (struct starlark_value){ .type = STARLARK_NONE };
}

/* ---- statements ---- */

static void
assign(struct starlark *s, const struct starlark_node *n)
{
	const struct starlark_node *target = n->first;
	struct starlark_value v = starlark_eval(s, n->last), old, sum;

	if (n->text.n == 0) {
		if (!starlark_stopped(s))
			starlark_assign(s, target, v);
		return;
	}
	old = starlark_eval(s, target);
	if (starlark_stopped(s))
		return;
	sum = starlark_operate(s, n->text, old, v, n->place);
	if (starlark_stopped(s))
		return;
	if (old.type == STARLARK_LIST && sum.type == STARLARK_LIST)
		*old.list = *sum.list;
	else
		starlark_assign(s, target, sum);
}

static void
loop(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_run *r = s->run;
	struct starlark_value v = starlark_items(s, n->first->next);

	for (size_t i = 0; !starlark_stopped(s) && i < v.list->n; i++) {
		starlark_assign(s, n->first, v.list->items[i]);
		if (!starlark_stopped(s))
			starlark_exec(s, n->last);
		if (r->stop == STOP_CONTINUE)
			r->stop = STOP_NOT;
	}
	if (r->stop == STOP_BREAK)
		r->stop = STOP_NOT;
}

static void
choose(struct starlark *s, const struct starlark_node *n)
{
	for (;;) {
		const struct starlark_node *block = n->first->next;
		struct starlark_value v = starlark_eval(s, n->first);

		if (starlark_stopped(s))
			return;
		if (!starlark_truth(&v))
			block = block->next;
		if (block != NULL && block->kind != NODE_IF) {
			starlark_exec(s, block);
			return;
		}
		if (block == NULL)
			return;
		n = block;
	}
}

static void
define_function(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_callee *f = arena_new(s->arena, struct starlark_callee);

	f->def = n;
	f->scope = s->run->scope;
	starlark_define(s, n->text,
	    (struct starlark_value){
		.type = STARLARK_FUNCTION, .function = f });
}

static void
jump(struct starlark *s, const struct starlark_node *n)
{
	struct starlark_value v = { .type = STARLARK_NONE };

	if (n->kind == NODE_RETURN) {
		if (n->first != NULL)
			v = starlark_eval(s, n->first);
		if (starlark_stopped(s))
			return;
		s->run->returned = v;
		s->run->stop = STOP_RETURN;
	} else if (str_is(n->text, "break"))
		s->run->stop = STOP_BREAK;
	else if (str_is(n->text, "continue"))
		s->run->stop = STOP_CONTINUE;
}

/* Leaves an unread statement outside functions out, and goes on behind it. */
static void
leave_out(struct starlark *s, struct starlark_node *n)
{
	struct starlark_run *r = s->run;

	r->stop = STOP_NOT;
	if (!n->reported)
		s->unread(s, r->unread_at, r->unread_why);
	n->reported = true;
	forget(s, n, 0);
}

static void
exec_one(struct starlark *s, struct starlark_node *n)
{
	if (n->kind == NODE_ASSIGN)
		assign(s, n);
	else if (n->kind == NODE_FOR)
		loop(s, n);
	else if (n->kind == NODE_IF)
		choose(s, n);
	else if (n->kind == NODE_DEF)
		define_function(s, n);
	else if (n->kind == NODE_RETURN || n->kind == NODE_JUMP)
		jump(s, n);
	else
		starlark_eval(s, n);
	if (s->run->stop == STOP_UNREAD && s->run->defs == 0)
		leave_out(s, n);
}

void
starlark_exec(struct starlark *s, const struct starlark_node *block)
{
	struct starlark_run *r = s->run;

	if (r->depth++ >= STARLARK_NESTED)
		starlark_unread(
		    s, block->place, STR("a block that is nested too deeply"));
	for (struct starlark_node *n = block->first;
	     n != NULL && !starlark_stopped(s) && !r->exhausted; n = n->next)
		if (starlark_spend(s, 1, n->place))
			exec_one(s, n);
		else if (r->defs == 0)
			leave_out(s, n);
	r->depth--;
}

bool
starlark_run(struct starlark *s)
{
	struct starlark_node *file = starlark_parse(s);
	struct starlark_scope globals = { .names.arena = s->arena };
	struct starlark_run run = { .scope = &globals };

	if (file == NULL)
		return false;
	s->run = &run;
	starlark_exec(s, file);
	s->run = NULL;
	return s->wrong.s == NULL;
}
