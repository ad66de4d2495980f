/* Tokens to the trees of statements, and what is wrong before any of them runs. */
#include "starlark/parser.h"

static void statement(struct starlark_parser *, struct starlark_node *block);

/* Parses the statements of a compound one: on its line, or indented below. */
static struct starlark_node *
suite(struct starlark_parser *p)
{
	struct starlark_node *block = starlark_node(p, NODE_BLOCK);

	starlark_expect(p, ":");
	if (p->now.kind != TOKEN_NEWLINE) {
		statement(p, block);
		return block;
	}
	starlark_advance(p);
	if (p->now.kind != TOKEN_INDENT)
		starlark_expected(p, "a line that is indented");
	starlark_advance(p);
	while (p->now.kind != TOKEN_DEDENT && p->now.kind != TOKEN_END)
		statement(p, block);
	starlark_advance(p);
	return block;
}

static struct starlark_node *
if_statement(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_IF), *now = n, *inner;

	starlark_advance(p);
	for (;;) {
		starlark_add(now, starlark_test(p));
		starlark_add(now, suite(p));
		if (!starlark_is(p, "elif"))
			break;
		inner = starlark_node(p, NODE_IF);
		starlark_add(now, inner);
		now = inner;
		starlark_advance(p);
	}
	if (starlark_take(p, "else"))
		starlark_add(now, suite(p));
	return n;
}

static struct starlark_node *
for_statement(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_FOR);
	bool in_loop = p->in_loop;

	starlark_advance(p);
	starlark_add(n, starlark_target(p));
	starlark_expect(p, "in");
	starlark_add(n, starlark_test(p));
	p->in_loop = true;
	starlark_add(n, suite(p));
	p->in_loop = in_loop;
	return n;
}

/* Skips the type behind a colon or an arrow. */
static void
skip_type(struct starlark_parser *p, const char *sign)
{
	if (starlark_take(p, sign))
		starlark_test(p);
}

static void
parameter(struct starlark_parser *p, struct starlark_node *def)
{
	struct starlark_node *n = starlark_node(p, NODE_PARAMETER), *name;

	if (starlark_take(p, "*") || starlark_take(p, "**") ||
	    starlark_take(p, "/")) {
		n->kind = NODE_OTHER;
		n->text = STR("a function with * or / among its parameters");
	}
	if (p->now.kind == TOKEN_NAME) {
		name = starlark_node(p, NODE_NAME);
		name->text = p->now.text;
		if (n->kind == NODE_PARAMETER)
			n->text = name->text;
		starlark_bind(p, name);
		starlark_advance(p);
		skip_type(p, ":");
		if (starlark_take(p, "="))
			starlark_add(n, starlark_test(p));
	} else if (n->kind == NODE_PARAMETER)
		starlark_expected(p, "the name of a parameter");
	starlark_add(def, n);
}

static struct starlark_node *
def_statement(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(p, NODE_DEF);
	struct starlark_parser outer;

	starlark_advance(p);
	n->text = p->now.text;
	if (p->now.kind != TOKEN_NAME)
		starlark_expected(p, "the name of a function");
	*hash_put(&p->bound, n->text) = n;
	starlark_advance(p);
	starlark_expect(p, "(");
	while (!starlark_is(p, ")")) {
		parameter(p, n);
		if (!starlark_take(p, ","))
			break;
	}
	starlark_expect(p, ")");
	skip_type(p, "->");
	outer = *p;
	p->in_def = true;
	p->in_loop = false;
	starlark_add(n, suite(p));
	p->in_def = outer.in_def;
	p->in_loop = outer.in_loop;
	return n;
}

/* ---- statements of one line ---- */

static struct starlark_node *
jump(struct starlark_parser *p)
{
	struct starlark_node *n = starlark_node(
	    p, starlark_is(p, "return") ? NODE_RETURN : NODE_JUMP);

	n->text = p->now.text;
	if (n->kind == NODE_RETURN && !p->in_def)
		starlark_wrong(p, n->place,
		    "expected return in a def, found return outside");
	if (n->kind == NODE_JUMP && !p->in_loop && !str_is(n->text, "pass"))
		starlark_wrong(p, n->place,
		    "expected break and continue in a loop, found one outside");
	starlark_advance(p);
	if (n->kind == NODE_RETURN && p->now.kind != TOKEN_NEWLINE &&
	    !starlark_is(p, ";"))
		starlark_add(n, starlark_tests(p));
	return n;
}

static struct starlark_node *
assignment(struct starlark_parser *p)
{
	struct starlark_node *target = starlark_tests(p), *n;
	struct str sign;

	skip_type(p, ":");
	sign = p->now.text;
	if (p->now.kind != TOKEN_SIGN ||
	    !str_is_one_of(sign, "= += -= *= /= //= %= &= |= ^= <<= >>="))
		return target;
	n = starlark_node(p, NODE_ASSIGN);
	n->place = target->place;
	n->text = str_slice(sign, 0, sign.n - 1);
	starlark_bind(p, target);
	if (n->text.n > 0 &&
	    (target->kind == NODE_TUPLE || target->kind == NODE_LIST))
		starlark_wrong(p, n->place,
		    "expected one name or item to change, found several");
	starlark_advance(p);
	starlark_add(n, target);
	starlark_add(n, starlark_tests(p));
	return n;
}

static struct starlark_node *
small_statement(struct starlark_parser *p)
{
	if (starlark_is(p, "load"))
		starlark_wrong(p, p->now.place,
		    "expected no load, found one: there is nothing to load "
		    "from");
	if (p->now.kind == TOKEN_KEYWORD &&
	    str_is_one_of(p->now.text, "break continue pass return"))
		return jump(p);
	return assignment(p);
}

static void
statement(struct starlark_parser *p, struct starlark_node *block)
{
	if (p->depth++ > STARLARK_DEPTH)
		starlark_wrong(
		    p, p->now.place, "the block is nested too deeply");
	if (starlark_is(p, "if"))
		starlark_add(block, if_statement(p));
	else if (starlark_is(p, "for"))
		starlark_add(block, for_statement(p));
	else if (starlark_is(p, "def"))
		starlark_add(block, def_statement(p));
	else {
		do {
			starlark_add(block, small_statement(p));
		} while (starlark_take(p, ";") && p->now.kind != TOKEN_NEWLINE);
		if (p->now.kind != TOKEN_NEWLINE)
			starlark_expected(p, "the end of the line");
		starlark_advance(p);
	}
	p->depth--;
}

/* ---- files ---- */

/* Refuses a name that neither the file, the caller nor Starlark defines. */
static void
check_names(struct starlark_parser *p)
{
	for (size_t i = 0; i < p->nnames; i++) {
		const struct starlark_node *n = p->names[i];
		const struct starlark_function *f = p->s->functions;

		while (f->name != NULL && !str_is(n->text, f->name))
			f++;
		if (f->name != NULL || hash_get(&p->bound, n->text) != NULL ||
		    starlark_is_builtin(n->text))
			continue;
		starlark_refuse(p->s, n->place,
		    "expected a name that is defined, found %.*s",
		    STR_FMT(n->text));
		return;
	}
}

struct starlark_node *
starlark_parse(struct starlark *s)
{
	struct starlark_parser p = { .s = s, .text = s->text };
	struct starlark_node *file;

	p.bound.arena = s->arena;
	file = starlark_node(&p, NODE_BLOCK);
	starlark_tokens_begin(&p);
	while (p.now.kind != TOKEN_END)
		statement(&p, file);
	if (s->wrong.s == NULL)
		check_names(&p);
	return s->wrong.s == NULL ? file : NULL;
}
