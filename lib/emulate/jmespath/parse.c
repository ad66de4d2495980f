/* Parses JMESPath's grammar by operator precedence ("binding power"). */
#include "emulate/jmespath/lex.h"

enum {
	DEPTH_MAX = 500,
	NODES_MAX = 4000, /* the evaluator recurses along a chain of nodes */
};

/* The strength with which operators bind the expression on their left. */
enum {
	POWER_PIPE = 1,
	POWER_OR,
	POWER_AND,
	POWER_COMPARE = 5,
	POWER_FLATTEN = 9,
	POWER_STOP = 10, /* a token below this ends a projection */
	POWER_STAR = 20,
	POWER_FILTER,
	POWER_DOT = 40,
	POWER_NOT = 45,
	POWER_BRACKET = 55,
};

static struct jmespath_node *expression(struct jmespath_lexer *, int power);

static int
power_of(int token)
{
	switch (token) {
	case '|':
		return POWER_PIPE;
	case T_OR:
		return POWER_OR;
	case T_AND:
		return POWER_AND;
	case T_EQ:
	case T_NE:
	case '<':
	case '>':
	case T_LE:
	case T_GE:
		return POWER_COMPARE;
	case T_FLATTEN:
		return POWER_FLATTEN;
	case T_FILTER:
		return POWER_FILTER;
	case '.':
		return POWER_DOT;
	case '[':
		return POWER_BRACKET;
	default:
		return 0;
	}
}

static struct jmespath_node *
node(struct jmespath_lexer *p, enum jmespath_type type,
    struct jmespath_node *left)
{
	struct jmespath_node *n = arena_new(p->arena, struct jmespath_node);

	if (++p->nodes > NODES_MAX)
		jmespath_fail_at(p, p->offset, "expression is too long");
	n->type = type;
	n->left = left;
	n->offset = p->offset;
	return n;
}

static struct jmespath_node **
push(struct jmespath_lexer *p, struct jmespath_node *n)
{
	return arena_push(p->arena, n->args, n->nargs);
}

static struct jmespath_node *
field(struct jmespath_lexer *p)
{
	struct jmespath_node *n = node(p, JP_FIELD, NULL);

	n->name = p->name;
	jmespath_advance(p);
	return n;
}

static struct jmespath_node *
multi_list(struct jmespath_lexer *p)
{
	struct jmespath_node *n = node(p, JP_LIST, NULL);

	do
		*push(p, n) = expression(p, 0);
	while (jmespath_accept(p, ','));
	jmespath_expect(p, ']', "expected ',' or ']'");
	return n;
}

static struct jmespath_node *
multi_hash(struct jmespath_lexer *p)
{
	struct jmespath_node *n = node(p, JP_HASH, NULL);
	size_t names = 0;

	do {
		if (p->token != T_NAME && p->token != T_QUOTED) {
			jmespath_fail_at(
			    p, p->offset, "expected a member's name");
			break;
		}
		*arena_push(p->arena, n->names, names) = p->name;
		jmespath_advance(p);
		jmespath_expect(p, ':', "expected ':'");
		*push(p, n) = expression(p, 0);
	} while (jmespath_accept(p, ','));
	jmespath_expect(p, '}', "expected ',' or '}'");
	return n;
}

/* Parses what follows a dot. */
static struct jmespath_node *
after_dot(struct jmespath_lexer *p, int power)
{
	if (p->token == T_NAME || p->token == T_QUOTED || p->token == '*')
		return expression(p, power);
	if (jmespath_accept(p, '['))
		return multi_list(p);
	if (jmespath_accept(p, '{'))
		return multi_hash(p);
	jmespath_fail_at(
	    p, p->offset, "expected a name, '*', '[' or '{' after '.'");
	return node(p, JP_CURRENT, NULL);
}

/* Parses what a projection applies to each of its values. */
static struct jmespath_node *
projected(struct jmespath_lexer *p, int power)
{
	if (power_of(p->token) < POWER_STOP)
		return node(p, JP_CURRENT, NULL);
	if (p->token == '[' || p->token == T_FILTER)
		return expression(p, power);
	if (jmespath_accept(p, '.'))
		return after_dot(p, power);
	jmespath_fail_at(p, p->offset, "unexpected text after a projection");
	return node(p, JP_CURRENT, NULL);
}

static struct jmespath_node *
projection(struct jmespath_lexer *p, enum jmespath_type type,
    struct jmespath_node *left, int power)
{
	struct jmespath_node *n = node(p, type, left);

	n->right = projected(p, power);
	return n;
}

/* Parses an index or a slice; the cursor is behind '[', on a number or ':'. */
static struct jmespath_node *
index_or_slice(struct jmespath_lexer *p, struct jmespath_node *left)
{
	struct jmespath_node *n = node(p, JP_INDEX, left);
	int part = 0;

	for (;;) {
		if (p->token == T_NUMBER) {
			n->slice[part].value = p->number;
			n->slice[part].given = true;
			jmespath_advance(p);
		}
		if (part == 2 || !jmespath_accept(p, ':'))
			break;
		part++;
	}
	jmespath_expect(p, ']', "expected ']'");
	if (part == 0) {
		n->number = n->slice[0].value;
		return n;
	}
	n->type = JP_SLICE;
	return projection(p, JP_PROJECT, n, POWER_STAR);
}

static struct jmespath_node *
filter(struct jmespath_lexer *p, struct jmespath_node *left)
{
	struct jmespath_node *condition = expression(p, 0), *n;

	jmespath_expect(p, ']', "expected ']' after the filter");
	n = projection(p, JP_FILTER, left, POWER_FILTER);
	*push(p, n) = condition;
	return n;
}

static struct jmespath_node *
bracket(struct jmespath_lexer *p, struct jmespath_node *left, bool leading)
{
	if (p->token == T_NUMBER || p->token == ':')
		return index_or_slice(p, left);
	if (p->token == '*') {
		size_t at = p->at;

		jmespath_advance(p);
		if (jmespath_accept(p, ']'))
			return projection(p, JP_PROJECT, left, POWER_STAR);
		/* [* , x] is a list whose first element is a projection */
		p->at = at - 1;
		jmespath_advance(p);
	}
	if (leading)
		return multi_list(p);
	jmespath_fail_at(
	    p, p->offset, "expected a number, ':' or '*' within brackets");
	return left;
}

static struct jmespath_node *
call(struct jmespath_lexer *p, struct jmespath_node *name_node)
{
	name_node->type = JP_CALL;
	if (jmespath_accept(p, ')'))
		return name_node;
	do {
		struct jmespath_node *arg;

		if (p->token == '&') {
			jmespath_advance(p);
			arg = node(p, JP_REF, NULL);
			arg->left = expression(p, 0);
		} else {
			arg = expression(p, 0);
		}
		*push(p, name_node) = arg;
	} while (jmespath_accept(p, ','));
	jmespath_expect(p, ')', "expected ',' or ')'");
	return name_node;
}

/* Parses the first part of an expression. */
static struct jmespath_node *
prefix(struct jmespath_lexer *p)
{
	struct jmespath_node *n = node(p, JP_CURRENT, NULL);
	int token = p->token;

	if (token == T_NAME || token == T_QUOTED) {
		n = field(p);
		if (p->token == '(' && token == T_NAME) {
			jmespath_advance(p);
			return call(p, n);
		}
		return n;
	}
	if (token == T_LITERAL) {
		n->type = JP_LITERAL;
		n->literal = p->literal;
	}
	if (token == T_BAD || token == T_END)
		jmespath_fail_at(p, p->offset, "expression ends too early");
	jmespath_advance(p);
	switch (token) {
	case '@':
	case T_LITERAL:
		return n;
	case '*':
		return projection(p, JP_VALUES, n, POWER_STAR);
	case T_FLATTEN:
		return projection(
		    p, JP_PROJECT, node(p, JP_FLATTEN, n), POWER_FLATTEN);
	case T_FILTER:
		return filter(p, n);
	case '[':
		return bracket(p, n, true);
	case '{':
		return multi_hash(p);
	case '!':
		n->type = JP_NOT;
		n->left = expression(p, POWER_NOT);
		return n;
	case '(':
		n = expression(p, 0);
		jmespath_expect(p, ')', "expected ')'");
		return n;
	default:
		jmespath_fail_at(p, n->offset, "unexpected token");
		return n;
	}
}

static struct jmespath_node *
binary(struct jmespath_lexer *p, enum jmespath_type type,
    struct jmespath_node *left, int power)
{
	struct jmespath_node *n = node(p, type, left);

	n->right = expression(p, power);
	return n;
}

static struct jmespath_node *
comparison(struct jmespath_lexer *p, int token, struct jmespath_node *left)
{
	struct jmespath_node *n = binary(p, JP_COMPARE, left, POWER_COMPARE);

	n->compare = token == T_EQ ? JP_EQ
	    : token == T_NE        ? JP_NE
	    : token == '<'         ? JP_LT
	    : token == T_LE        ? JP_LE
	    : token == '>'         ? JP_GT
				   : JP_GE;
	return n;
}

/* Parses an operator and its right side, and combines them with the expression
 * on the left. */
static struct jmespath_node *
infix(struct jmespath_lexer *p, struct jmespath_node *left)
{
	int token = p->token;
	struct jmespath_node *n;

	jmespath_advance(p);
	switch (token) {
	case '|':
		return binary(p, JP_SUB, left, POWER_PIPE);
	case T_OR:
		return binary(p, JP_OR, left, POWER_OR);
	case T_AND:
		return binary(p, JP_AND, left, POWER_AND);
	case T_FLATTEN:
		return projection(
		    p, JP_PROJECT, node(p, JP_FLATTEN, left), POWER_FLATTEN);
	case T_FILTER:
		return filter(p, left);
	case '[':
		return bracket(p, left, false);
	case '.':
		/* The power is go-jmespath's: in a.*.b.c, c is applied to the
		 * list, not to its elements. */
		if (jmespath_accept(p, '*'))
			return projection(p, JP_VALUES, left, POWER_DOT);
		n = node(p, JP_SUB, left);
		n->right = after_dot(p, POWER_DOT);
		return n;
	default:
		return comparison(p, token, left);
	}
}

static struct jmespath_node *
expression(struct jmespath_lexer *p, int power)
{
	struct jmespath_node *left;

	if (++p->depth > DEPTH_MAX)
		jmespath_fail_at(p, p->offset, "nested too deeply");
	if (p->failed)
		return node(p, JP_CURRENT, NULL);
	left = prefix(p);
	while (!p->failed && power < power_of(p->token))
		left = infix(p, left);
	p->depth--;
	return left;
}

struct jmespath *
jmespath_compile(struct arena *a, struct str text, struct jmespath_error *error)
{
	struct jmespath_lexer p = { .arena = a, .text = text, .error = error };
	struct jmespath *path = arena_new(a, struct jmespath);

	jmespath_advance(&p);
	path->root = expression(&p, 0);
	if (!p.failed && p.token != T_END)
		jmespath_fail_at(
		    &p, p.offset, "unexpected text after the expression");
	return p.failed ? NULL : path;
}
