/* Tokens to the trees of expressions. */
#include "starlark/parser.h"

struct starlark_node *
starlark_node(struct starlark_parser *p, enum starlark_node_kind kind)
{
	struct starlark_node *n = arena_new(p->s->arena, struct starlark_node);

	n->kind = kind;
	n->place = p->now.place;
	return n;
}

void
starlark_add(struct starlark_node *parent, struct starlark_node *child)
{
	if (parent->first == NULL)
		parent->first = child;
	else
		parent->last->next = child;
	parent->last = child;
}

/* Returns a node of this kind around a first child, at the place of the child. */
static struct starlark_node *
around(struct starlark_parser *p, enum starlark_node_kind kind,
    struct starlark_node *child)
{
	struct starlark_node *n = starlark_node(p, kind);

	n->place = child->place;
	starlark_add(n, child);
	return n;
}

/* Returns a node that takes the token as its text. */
static struct starlark_node *
leaf(struct starlark_parser *p, enum starlark_node_kind kind)
{
	struct starlark_node *n = starlark_node(p, kind);

	n->text = p->now.text;
	starlark_advance(p);
	return n;
}

static struct starlark_node *
name(struct starlark_parser *p)
{
	if (p->now.kind != TOKEN_NAME)
		starlark_expected(p, "a name");
	return leaf(p, NODE_NAME);
}

/* ---- targets ---- */

void
starlark_bind(struct starlark_parser *p, struct starlark_node *target)
{
	if (target->kind == NODE_NAME)
		*hash_put(&p->bound, target->text) = target;
	else if (target->kind == NODE_TUPLE || target->kind == NODE_LIST)
		for (struct starlark_node *c = target->first; c != NULL;
		     c = c->next)
			starlark_bind(p, c);
	else if (target->kind != NODE_INDEX && target->kind != NODE_DOT)
		starlark_wrong(p, target->place,
		    "expected a name or an item to assign to, found another "
		    "expression");
}

/* ---- lists, dicts, comprehensions ---- */

static struct starlark_node *binary(struct starlark_parser *, size_t level);
enum { LEVEL_OR = 0, LEVEL_NOT = 2, LEVEL_COMPARE = 3, LEVEL_BIT_OR = 4 };

struct starlark_node *
starlark_target(struct starlark_parser *p)
{
	struct starlark_node *n = binary(p, LEVEL_BIT_OR);

	if (starlark_is(p, ",")) {
		n = around(p, NODE_TUPLE, n);
		while (starlark_take(p, ",") && !starlark_is(p, "in"))
			starlark_add(n, binary(p, LEVEL_BIT_OR));
	}
	starlark_bind(p, n);
	return n;
}

/* Parses the clauses of a comprehension, the first of which is a for. */
static void
clauses(struct starlark_parser *p, struct starlark_node *n)
{
	do {
		bool is_for = starlark_is(p, "for");
		struct starlark_node *c =
		    starlark_node(p, is_for ? NODE_FOR : NODE_IF);

		starlark_advance(p);
		if (is_for) {
			starlark_add(c, starlark_target(p));
			starlark_expect(p, "in");
		}
		starlark_add(c, binary(p, LEVEL_OR));
		starlark_add(n, c);
	} while (starlark_is(p, "for") || starlark_is(p, "if"));
}

static struct starlark_node *
list(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_LIST);

	starlark_expect(p, "[");
	while (!starlark_is(p, "]")) {
		starlark_add(n, starlark_test(p));
		if (n->first == n->last && starlark_is(p, "for")) {
			n->kind = NODE_LIST_COMPREHENSION;
			clauses(p, n);
			break;
		}
		if (!starlark_take(p, ","))
			break;
	}
	starlark_expect(p, "]");
	return n;
}

static struct starlark_node *
dict(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_DICT);

	starlark_expect(p, "{");
	while (!starlark_is(p, "}")) {
		starlark_add(n, starlark_test(p));
		starlark_expect(p, ":");
		starlark_add(n, starlark_test(p));
		if (n->first->next == n->last && starlark_is(p, "for")) {
			n->kind = NODE_DICT_COMPREHENSION;
			clauses(p, n);
			break;
		}
		if (!starlark_take(p, ","))
			break;
	}
	starlark_expect(p, "}");
	return n;
}

static struct starlark_node *
brackets(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_TUPLE);

	starlark_expect(p, "(");
	if (!starlark_is(p, ")"))
		n = starlark_tests(p);
	starlark_expect(p, ")");
	return n;
}

/* ---- operands ---- */

static struct starlark_node *
other(struct starlark_parser *p, const char *what)
{
	struct starlark_node *n = leaf(p, NODE_OTHER);

	n->text = str_of(what);
	return n;
}

static struct starlark_node *
operand(struct starlark_parser *p)
{
	struct starlark_node *n;

	if (p->now.kind == TOKEN_STRING)
		return starlark_string(p);
	if (p->now.kind == TOKEN_INT)
		return leaf(p, NODE_INT);
	if (p->now.kind == TOKEN_FLOAT)
		return other(p, "a number with a fraction");
	if (starlark_is(p, "..."))
		return other(p, "...");
	if (starlark_is(p, "["))
		return list(p);
	if (starlark_is(p, "{"))
		return dict(p);
	if (starlark_is(p, "("))
		return brackets(p);
	if (p->now.kind != TOKEN_NAME)
		starlark_expected(p, "an expression");
	n = name(p);
	*arena_push(p->s->arena, p->names, p->nnames) = n;
	return n;
}

/* ---- calls, indices, methods ---- */

/* Returns whether an argument before has the name, or, with the absent name, any. */
static bool
has_name(const struct starlark_node *call, struct str name)
{
	for (const struct starlark_node *a = call->first->next; a != NULL;
	     a = a->next)
		if (a->text.s != NULL &&
		    (name.s == NULL || str_eq(a->text, name)))
			return true;
	return false;
}

static void
argument(struct starlark_parser *p, struct starlark_node *call)
{
	struct starlark_node *a = starlark_node(p, NODE_ARGUMENT), *value;

	if (starlark_is(p, "*") || starlark_is(p, "**")) {
		a->text = p->now.text;
		starlark_advance(p);
		starlark_add(a, starlark_test(p));
		starlark_add(call, a);
		return;
	}
	value = starlark_test(p);
	if (value->kind == NODE_NAME && starlark_take(p, "=")) {
		a->text = value->text;
		p->nnames--;
		value = starlark_test(p);
		if (has_name(call, a->text))
			starlark_wrong(p, a->place,
			    "expected each argument's name once, found a name "
			    "twice");
	} else if (has_name(call, (struct str){ 0 }))
		starlark_wrong(p, a->place,
		    "expected a named argument behind another, found one "
		    "without");
	starlark_add(a, value);
	starlark_add(call, a);
}

static struct starlark_node *
call(struct starlark_parser *p, struct starlark_node *function)
{
	struct starlark_node *n = around(p, NODE_CALL, function);

	starlark_expect(p, "(");
	while (!starlark_is(p, ")")) {
		argument(p, n);
		if (!starlark_take(p, ","))
			break;
	}
	starlark_expect(p, ")");
	return n;
}

static struct starlark_node *
index_or_slice(struct starlark_parser *p, struct starlark_node *value)
{
	struct starlark_node *n = around(p, NODE_INDEX, value);

	starlark_expect(p, "[");
	for (int part = 0; part < 3; part++) {
		if (starlark_is(p, ":") || starlark_is(p, "]"))
			starlark_add(n, starlark_node(p, NODE_ABSENT));
		else
			starlark_add(n, starlark_test(p));
		if (part == 2 || !starlark_take(p, ":"))
			break;
		n->kind = NODE_SLICE;
	}
	if (n->kind == NODE_INDEX && n->last->kind == NODE_ABSENT)
		starlark_expected(p, "an index");
	starlark_expect(p, "]");
	return n;
}

static struct starlark_node *
primary(struct starlark_parser *p)
{
	struct starlark_node *n = operand(p);

	for (;;) {
		if (starlark_is(p, "("))
			n = call(p, n);
		else if (starlark_is(p, "["))
			n = index_or_slice(p, n);
		else if (starlark_take(p, ".")) {
			n = around(p, NODE_DOT, n);
			n->text = name(p)->text;
		} else
			return n;
	}
}

/* ---- operators ---- */

static struct starlark_node *
unary(struct starlark_parser *p)
{
	struct starlark_node *n;

	if (!starlark_is(p, "+") && !starlark_is(p, "-") &&
	    !starlark_is(p, "~"))
		return primary(p);
	n = leaf(p, NODE_UNARY);
	if (p->depth++ > STARLARK_DEPTH)
		starlark_wrong(
		    p, n->place, "the expression is nested too deeply");
	starlark_add(n, unary(p));
	p->depth--;
	return n;
}

/* Takes an operator of the level. Returns its text, or an absent text. */
static struct str
take_operator(struct starlark_parser *p, size_t level)
{
	static const char *const operators[] = { "or", "and", "",
		"== != < > <= >= in", "|", "^", "&", "<< >>", "+ -",
		"* / // %" };
	struct str text = p->now.text;

	if (level == LEVEL_COMPARE && starlark_take(p, "not")) {
		starlark_expect(p, "in");
		return STR("not in");
	}
	if (p->now.kind < TOKEN_KEYWORD ||
	    !str_is_one_of(text, operators[level]))
		return (struct str){ 0 };
	starlark_advance(p);
	return text;
}

static struct starlark_node *
binary(struct starlark_parser *p, size_t level)
{
	struct starlark_node *n;
	struct str sign;

	if (level == 10)
		return unary(p);
	if (level == LEVEL_NOT && starlark_is(p, "not")) {
		n = leaf(p, NODE_UNARY);
		if (p->depth++ > STARLARK_DEPTH)
			starlark_wrong(
			    p, n->place, "the expression is nested too deeply");
		starlark_add(n, binary(p, LEVEL_NOT));
		p->depth--;
		return n;
	}
	n = binary(p, level + 1);
	while ((sign = take_operator(p, level)).s != NULL) {
		n = around(p, NODE_BINARY, n);
		n->text = sign;
		starlark_add(n, binary(p, level + 1));
		if (level == LEVEL_COMPARE)
			break;
	}
	return n;
}

/* Parses a lambda expression, which is not run. */
static struct starlark_node *
lambda(struct starlark_parser *p)
{
	struct starlark_node *n = other(p, "lambda");

	while (!starlark_is(p, ":")) {
		if (!starlark_take(p, "*") && !starlark_take(p, "**"))
			starlark_take(p, "/");
		if (p->now.kind == TOKEN_NAME)
			starlark_bind(p, name(p));
		if (starlark_take(p, "="))
			starlark_add(n, starlark_test(p));
		if (!starlark_take(p, ","))
			break;
	}
	starlark_expect(p, ":");
	starlark_add(n, starlark_test(p));
	return n;
}

static struct starlark_node *
condition(struct starlark_parser *p)
{
	struct starlark_node *then = binary(p, LEVEL_OR), *n;

	if (!starlark_take(p, "if"))
		return then;
	n = around(p, NODE_CONDITION, binary(p, LEVEL_OR));
	n->place = then->place;
	starlark_expect(p, "else");
	starlark_add(n, then);
	starlark_add(n, starlark_test(p));
	return n;
}

struct starlark_node *
starlark_test(struct starlark_parser *p)
{
	struct starlark_node *n;

	if (p->depth++ > STARLARK_DEPTH)
		starlark_wrong(
		    p, p->now.place, "the expression is nested too deeply");
	n = starlark_is(p, "lambda") ? lambda(p) : condition(p);
	p->depth--;
	return n;
}

struct starlark_node *
starlark_tests(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_test(p);

	if (!starlark_is(p, ","))
		return n;
	n = around(p, NODE_TUPLE, n);
	while (starlark_take(p, ",") && p->now.kind != TOKEN_NEWLINE &&
	    !starlark_is(p, ")") && !starlark_is(p, "=") &&
	    !starlark_is(p, ";"))
		starlark_add(n, starlark_test(p));
	return n;
}
