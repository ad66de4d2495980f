/* Tokens to syntax trees, and what is wrong before any of them runs. */
#include "base/ascii.h"
#include "starlark/syntax.h"

struct sl_node *
sl_node(struct sl_parser *p, enum sl_kind kind)
{
	struct sl_node *n = arena_new(p->s->arena, struct sl_node);

	n->kind = kind;
	n->place = p->place;
	return n;
}

void
sl_add(struct sl_node *parent, struct sl_node *child)
{
	if (parent->first == NULL)
		parent->first = child;
	else
		parent->last->next = child;
	parent->last = child;
}

/* Returns a node that has the token as its text. */
static struct sl_node *
leaf(struct sl_parser *p, enum sl_kind kind)
{
	struct sl_node *n = sl_node(p, kind);

	n->text = p->token;
	sl_advance(p);
	return n;
}

/* Returns a node around a first child, at the child's place. */
static struct sl_node *
around(struct sl_parser *p, enum sl_kind kind, struct sl_node *child)
{
	struct sl_node *n = sl_node(p, kind);

	n->place = child->place;
	sl_add(n, child);
	return n;
}

/* Makes the node one that is not run. */
static struct sl_node *
other(struct sl_node *n, const char *what)
{
	n->kind = SL_OTHER;
	n->text = str_of(what);
	return n;
}

/* Enters brackets, operands or blocks in each other. The caller leaves them. */
static void
enter(struct sl_parser *p)
{
	if (p->depth++ == SL_DEPTH)
		sl_wrong(p, p->place, "the file is nested too deeply");
}

/* ---- expressions ---- */

/* The levels of operators, those that bind most closely last. */
enum { TEST, OR, NOT = 3, COMPARE, BIT_OR, UNARY = 11 };

static struct sl_node *expression(struct sl_parser *, size_t level);
static void parameters(
    struct sl_parser *, struct sl_node *def, const char *end);

/* Parses expressions with commas between them, up to a token that is no part; a
 * comma makes a tuple. */
static struct sl_node *
tuple(struct sl_parser *p, size_t level, const char *ends)
{
	struct sl_node *n = expression(p, level);

	if (!sl_is(p, ","))
		return n;
	n = around(p, SL_TUPLE, n);
	while (sl_take(p, ",") && p->kind != SL_NEWLINE &&
	    !str_is_one_of(p->token, ends))
		sl_add(n, expression(p, level));
	return n;
}

/* Notes the names that a target binds. */
static void
bind(struct sl_parser *p, struct sl_node *target)
{
	if (target->kind == SL_NAME)
		*hash_put(&p->bound, target->text) = target;
	else if (target->kind == SL_TUPLE || target->kind == SL_LIST)
		for (target = target->first; target != NULL;
		     target = target->next)
			bind(p, target);
	else if (target->kind != SL_SLICE && target->kind != SL_OTHER)
		sl_wrong(p, target->place,
		    "expected a name or an item to assign to, found another "
		    "expression");
}

static struct sl_node *
for_head(struct sl_parser *p, size_t level)
{
	struct sl_node *n = leaf(p, SL_FOR), *target;

	target = tuple(p, BIT_OR, "in");
	bind(p, target);
	sl_add(n, target);
	sl_expect(p, "in");
	sl_add(n, expression(p, level));
	return n;
}

/* Makes a comprehension of a list that has its element, as loops around it. */
static void
clauses(struct sl_parser *p, struct sl_node *list)
{
	struct sl_node *item = around(p, SL_ITEM, list->last), *now = list, *in;

	list->kind = SL_COMPREHENSION;
	list->first = NULL;
	while (sl_is(p, "for") || sl_is(p, "if")) {
		if (sl_is(p, "for"))
			in = for_head(p, OR);
		else {
			in = leaf(p, SL_IF);
			sl_add(in, expression(p, OR));
		}
		sl_add(now, in);
		sl_add(in, now = sl_node(p, SL_BLOCK));
	}
	sl_add(now, item);
}

/* Parses a list or a dict, or the comprehension of one. */
static struct sl_node *
items(struct sl_parser *p, bool dict)
{
	struct sl_node *n = leaf(p, SL_LIST);
	const char *end = dict ? "}" : "]";

	while (!sl_is(p, end)) {
		bool first = n->first == NULL;

		sl_add(n, sl_test(p));
		if (dict) {
			sl_expect(p, ":");
			sl_add(n, sl_test(p));
		}
		if (first && sl_is(p, "for"))
			clauses(p, n);
		if (n->kind != SL_LIST || !sl_take(p, ","))
			break;
	}
	sl_expect(p, end);
	return dict ? other(n, "a dict") : n;
}

static struct sl_node *
number(struct sl_parser *p)
{
	struct sl_node *n = leaf(p, SL_INT);

	for (size_t i = 0; i < n->text.n; i++)
		if (!ascii_is_digit(n->text.s[i]) || n->text.n > 18 ||
		    (n->text.n > 1 && n->text.s[0] == '0'))
			return other(n, "a number that is not a short decimal");
	return n;
}

static struct sl_node *
operand(struct sl_parser *p)
{
	struct sl_node *n;

	if (p->kind == SL_QUOTED)
		return sl_string(p);
	if (p->kind == SL_NUMBER)
		return number(p);
	if (sl_is(p, "["))
		return items(p, false);
	if (sl_is(p, "{"))
		return items(p, true);
	if (sl_is(p, "lambda")) {
		n = other(leaf(p, SL_OTHER), "lambda");
		parameters(p, n, ":");
		sl_add(n, sl_test(p));
		return n;
	}
	if (sl_is(p, "(")) {
		n = leaf(p, SL_TUPLE);
		if (!sl_is(p, ")"))
			n = tuple(p, TEST, ")");
		sl_expect(p, ")");
		return n;
	}
	if (p->kind != SL_WORD)
		sl_expected(p, "an expression");
	n = leaf(p, SL_NAME);
	*arena_push(p->s->arena, p->names, p->nnames) = n;
	return n;
}

static void
argument(struct sl_parser *p, struct sl_node *call)
{
	struct sl_node *a = sl_node(p, SL_ARGUMENT), *value;
	bool star = sl_take(p, "*") || sl_take(p, "**");

	value = sl_test(p);
	if (star)
		value =
		    other(around(p, SL_OTHER, value), "a call with * or **");
	else if (value->kind == SL_NAME && sl_take(p, "=")) {
		a->text = value->text;
		p->nnames--;
		value = sl_test(p);
	}
	if (call->last->text.s != NULL && call->last->kind == SL_ARGUMENT &&
	    a->text.s == NULL && !star)
		sl_wrong(p, a->place,
		    "expected a named argument behind another, found one "
		    "without");
	sl_add(a, value);
	sl_add(call, a);
}

static struct sl_node *
call(struct sl_parser *p, struct sl_node *function)
{
	struct sl_node *n = around(p, SL_CALL, function);

	sl_expect(p, "(");
	while (!sl_is(p, ")")) {
		argument(p, n);
		if (!sl_take(p, ","))
			break;
	}
	sl_expect(p, ")");
	return n;
}

static struct sl_node *
slice(struct sl_parser *p, struct sl_node *value)
{
	struct sl_node *n = around(p, SL_SLICE, value);
	int ends = 1;

	sl_expect(p, "[");
	for (;; ends++) {
		if ((sl_is(p, "]") && ends > 1) || sl_is(p, ":"))
			sl_add(n, sl_node(p, SL_ABSENT));
		else
			sl_add(n, sl_test(p));
		if (ends == 3 || !sl_take(p, ":"))
			break;
	}
	sl_expect(p, "]");
	return ends < 3 ? n : other(n, "a slice with a step");
}

static struct sl_node *
primary(struct sl_parser *p)
{
	struct sl_node *n = operand(p);

	for (;;) {
		if (sl_is(p, "("))
			n = call(p, n);
		else if (sl_is(p, "["))
			n = slice(p, n);
		else if (sl_take(p, ".")) {
			n = other(around(p, SL_OTHER, n), "a method");
			if (p->kind != SL_WORD)
				sl_expected(p, "a name");
			sl_advance(p);
		} else
			return n;
	}
}

/* Takes an operator of the level. Returns its text, or an absent text. */
static struct str
take_operator(struct sl_parser *p, size_t level)
{
	static const char *const operators[UNARY] = { NULL, "or", "and", NULL,
		"== != < > <= >= in", "|", "^", "&", "<< >>", "+ -",
		"* / // %" };
	struct str text = p->token;

	if (level == COMPARE && sl_take(p, "not")) {
		sl_expect(p, "in");
		return STR("not in");
	}
	if (p->kind < SL_KEYWORD || !str_is_one_of(text, operators[level]))
		return (struct str){ 0 };
	sl_advance(p);
	return text;
}

static struct sl_node *
unary(struct sl_parser *p, size_t level)
{
	struct sl_node *n = leaf(p, SL_UNARY);

	enter(p);
	sl_add(n, expression(p, level));
	p->depth--;
	return n;
}

/* Parses a value, and another that a condition may choose. */
static struct sl_node *
test(struct sl_parser *p)
{
	struct sl_node *then, *n;

	enter(p);
	n = then = expression(p, OR);
	if (sl_take(p, "if")) {
		n = around(p, SL_CONDITION, expression(p, OR));
		sl_expect(p, "else");
		sl_add(n, then);
		sl_add(n, expression(p, TEST));
	}
	p->depth--;
	return n;
}

static struct sl_node *
expression(struct sl_parser *p, size_t level)
{
	struct sl_node *n;
	struct str text;

	if (level == TEST)
		return test(p);
	if (level == UNARY ? sl_is(p, "+") || sl_is(p, "-") || sl_is(p, "~")
			   : level == NOT && sl_is(p, "not"))
		return unary(p, level);
	if (level == UNARY)
		return primary(p);
	n = expression(p, level + 1);
	while ((text = take_operator(p, level)).s != NULL) {
		n = around(p, SL_BINARY, n);
		n->text = text;
		sl_add(n, expression(p, level + 1));
		if (level == COMPARE)
			break;
	}
	return n;
}

struct sl_node *
sl_test(struct sl_parser *p)
{
	return expression(p, TEST);
}

/* ---- statements ---- */

static void statement(struct sl_parser *, struct sl_node *block);

/* Parses the statements of a compound one: on its line, or indented below. */
static struct sl_node *
suite(struct sl_parser *p)
{
	struct sl_node *block = sl_node(p, SL_BLOCK);

	sl_expect(p, ":");
	if (p->kind != SL_NEWLINE) {
		statement(p, block);
		return block;
	}
	sl_advance(p);
	if (p->kind != SL_INDENT)
		sl_expected(p, "a line that is indented");
	sl_advance(p);
	while (p->kind != SL_DEDENT && p->kind != SL_END)
		statement(p, block);
	sl_advance(p);
	return block;
}

static struct sl_node *
if_statement(struct sl_parser *p)
{
	struct sl_node *n = leaf(p, SL_IF), *now = n, *inner;

	for (;;) {
		sl_add(now, sl_test(p));
		sl_add(now, suite(p));
		if (!sl_is(p, "elif"))
			break;
		inner = leaf(p, SL_IF);
		sl_add(now, inner);
		now = inner;
	}
	if (sl_take(p, "else"))
		sl_add(now, suite(p));
	return n;
}

static struct sl_node *
for_statement(struct sl_parser *p)
{
	struct sl_node *n = for_head(p, TEST);
	bool in_loop = p->in_loop;

	p->in_loop = true;
	sl_add(n, suite(p));
	p->in_loop = in_loop;
	return n;
}

/* Skips the type behind a colon or an arrow. */
static void
skip_type(struct sl_parser *p, const char *sign)
{
	if (sl_take(p, sign))
		sl_test(p);
}

/* Parses the parameters of a def or lambda up to the sign that ends them. */
static void
parameters(struct sl_parser *p, struct sl_node *def, const char *end)
{
	while (!sl_is(p, end)) {
		bool star =
		    sl_take(p, "*") || sl_take(p, "**") || sl_take(p, "/");
		struct sl_node *n = sl_node(p, SL_PARAMETER);

		if (p->kind == SL_WORD) {
			n->text = p->token;
			*hash_put(&p->bound, n->text) = n;
			sl_advance(p);
			if (str_is(str_of(end), ")"))
				skip_type(p, ":");
			if (sl_take(p, "="))
				sl_add(n, sl_test(p));
		} else if (!star)
			sl_expected(p, "the name of a parameter");
		sl_add(def, star ? other(n, "a parameter with * or /") : n);
		if (!sl_take(p, ","))
			break;
	}
	sl_expect(p, end);
}

static struct sl_node *
def_statement(struct sl_parser *p)
{
	struct sl_node *n = leaf(p, SL_DEF);
	bool in_def = p->in_def, in_loop = p->in_loop;

	n->text = p->token;
	if (p->kind != SL_WORD)
		sl_expected(p, "the name of a function");
	*hash_put(&p->bound, n->text) = n;
	sl_advance(p);
	sl_expect(p, "(");
	parameters(p, n, ")");
	skip_type(p, "->");
	p->in_def = true;
	p->in_loop = false;
	sl_add(n, suite(p));
	p->in_def = in_def;
	p->in_loop = in_loop;
	return n;
}

static struct sl_node *
jump(struct sl_parser *p)
{
	struct sl_node *n = leaf(p, sl_is(p, "return") ? SL_RETURN : SL_JUMP);

	if (n->kind == SL_RETURN && !p->in_def)
		sl_wrong(p, n->place,
		    "expected return in a def, found return outside");
	if (str_is_one_of(n->text, "break continue") && !p->in_loop)
		sl_wrong(p, n->place,
		    "expected break and continue in a loop, found one outside");
	if (n->kind == SL_RETURN && p->kind != SL_NEWLINE && !sl_is(p, ";"))
		sl_add(n, tuple(p, TEST, ";"));
	return n;
}

static struct sl_node *
small_statement(struct sl_parser *p)
{
	struct sl_node *target, *n;
	struct str sign;

	if (sl_is(p, "load"))
		sl_wrong(p, p->place,
		    "expected no load, found one: there is nothing to load "
		    "from");
	if (p->kind == SL_KEYWORD &&
	    str_is_one_of(p->token, "break continue pass return"))
		return jump(p);
	target = tuple(p, TEST, "= ;");
	skip_type(p, ":");
	sign = p->token;
	if (p->kind != SL_SIGN ||
	    !str_is_one_of(sign, "= += -= *= /= //= %= &= |= ^= <<= >>="))
		return target;
	bind(p, target);
	n = around(p, SL_ASSIGN, target);
	n->text = str_slice(sign, 0, sign.n - 1);
	if (n->text.n > 0 &&
	    (target->kind == SL_TUPLE || target->kind == SL_LIST))
		sl_wrong(p, n->place,
		    "expected one name or item to change, found several");
	sl_advance(p);
	sl_add(n, tuple(p, TEST, ";"));
	return n;
}

static void
statement(struct sl_parser *p, struct sl_node *block)
{
	enter(p);
	if (sl_is(p, "if"))
		sl_add(block, if_statement(p));
	else if (sl_is(p, "for"))
		sl_add(block, for_statement(p));
	else if (sl_is(p, "def"))
		sl_add(block, def_statement(p));
	else {
		do {
			sl_add(block, small_statement(p));
		} while (sl_take(p, ";") && p->kind != SL_NEWLINE);
		if (p->kind != SL_NEWLINE)
			sl_expected(p, "the end of the line");
		sl_advance(p);
	}
	p->depth--;
}

/* Refuses a name that neither the file, the caller nor Starlark defines. */
static void
check_names(struct sl_parser *p)
{
	for (size_t i = 0; i < p->nnames && p->s->wrong.s == NULL; i++) {
		const struct sl_node *n = p->names[i];
		const struct starlark_function *f = p->s->functions;

		while (f->name != NULL && !str_is(n->text, f->name))
			f++;
		if (f->name == NULL && hash_get(&p->bound, n->text) == NULL &&
		    !str_is_one_of(n->text, SL_BUILTINS))
			starlark_refuse(p->s, n->place,
			    "expected a name that is defined, found %.*s",
			    STR_FMT(n->text));
	}
}

struct sl_node *
sl_parse(struct starlark *s)
{
	struct sl_parser p = { .s = s, .text = s->text };
	struct sl_node *file;

	p.bound.arena = s->arena;
	p.line_begins = true;
	p.kind = SL_NEWLINE;
	sl_advance(&p);
	file = sl_node(&p, SL_BLOCK);
	while (p.kind != SL_END)
		statement(&p, file);
	check_names(&p);
	return s->wrong.s == NULL ? file : NULL;
}
