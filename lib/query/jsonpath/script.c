/* Reading scripts: JavaScript's expressions, as far as jsonpath-plus has them:
 * no functions, no objects, no names but those of the node. */
#include "query/jsonpath/script.h"

#include <string.h>

#include "query/jsonpath/atom.h"

static const struct script *expression(struct script_reader *);

static void
add(struct script_reader *r, struct script *s, const struct script *arg)
{
	*arena_push(r->p->arena, s->args, s->n) = arg;
}

/* Takes the sign, with the blanks before it. */
static bool
take(struct script_reader *r, const char *sign)
{
	jsonpath_skip_blanks(r->p);
	return jsonpath_take(r->p, sign);
}

/* ---- names ---- */

static const struct script *
assignment(struct script_reader *r, struct str name)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_ASSIGN);
	const struct script *value = expression(r);

	while (s->variable < r->n_variables &&
	    !str_eq(r->variables[s->variable], name))
		s->variable++;
	if (s->variable == SCRIPT_VARIABLES_MAX)
		return jsonpath_atom_fail(r, r->p->at, "too many variables");
	if (s->variable == r->n_variables)
		r->variables[r->n_variables++] = name;
	add(r, s, value);
	return value == NULL ? NULL : s;
}

static const struct script *
variable(struct script_reader *r)
{
	size_t at = r->p->at;
	struct str name = jsonpath_atom_word(r);
	struct script *s;

	if (name.n == 0)
		return jsonpath_atom_fail(r, at,
		    at >= r->p->text.n ? "the expression ends too early"
				       : "expected a value");
	jsonpath_skip_blanks(r->p);
	if (jsonpath_peek(r->p) == '=' &&
	    !str_starts(str_from(r->p->text, r->p->at), "==")) {
		r->p->at++;
		return assignment(r, name);
	}
	s = jsonpath_atom_new(r, SCRIPT_VARIABLE);
	for (; s->variable < r->n_variables; s->variable++)
		if (str_eq(r->variables[s->variable], name))
			return s;
	jsonpath_fail(r->p, at, "%.*s is not defined", STR_FMT(name));
	return NULL;
}

static const struct script *
named_value(struct script_reader *r)
{
	if (jsonpath_atom_take_word(r, "true"))
		return jsonpath_atom_value(r, script_value_boolean(true));
	if (jsonpath_atom_take_word(r, "false"))
		return jsonpath_atom_value(r, script_value_boolean(false));
	if (jsonpath_atom_take_word(r, "null"))
		return jsonpath_atom_value(
		    r, (struct value){ .type = VALUE_NULL });
	if (jsonpath_atom_take_word(r, "undefined"))
		return jsonpath_atom_new(r, SCRIPT_VALUE);
	return variable(r);
}

/* ---- values and what is done with them ---- */

/* Expressions up to the closing bracket; each with what separates them. */
static bool
arguments(struct script_reader *r, struct script *s, const char *end)
{
	if (take(r, end))
		return true;
	do {
		const struct script *arg = expression(r);

		if (arg == NULL)
			return false;
		add(r, s, arg);
	} while (take(r, ","));
	return take(r, end) ||
	    jsonpath_fail(r->p, r->p->at, "expected ',' or '%s'", end);
}

static const struct script *
list(struct script_reader *r)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_LIST);

	r->p->at++;
	return arguments(r, s, "]") ? s : NULL;
}

static const struct script *sequence(struct script_reader *, const char *end);

static const struct script *
primary(struct script_reader *r)
{
	char c = jsonpath_peek(r->p);

	if (c == '@')
		return jsonpath_atom_context(r);
	if (jsonpath_atom_is_number(r))
		return jsonpath_atom_number(r);
	if (c == '"' || c == '\'')
		return jsonpath_atom_text(r);
	if (c == '/')
		return jsonpath_atom_regex(r);
	if (c == '[')
		return list(r);
	if (jsonpath_take(r->p, "("))
		return sequence(r, ")");
	return named_value(r);
}

/* A pattern given as a text is compiled once. */
static bool
compile_pattern(struct script_reader *r, struct script *call, size_t at)
{
	const struct script *pattern = call->n > 1 ? call->args[1] : NULL;

	if ((!str_is(call->name, "match") && !str_is(call->name, "search")) ||
	    pattern == NULL || pattern->kind != SCRIPT_VALUE ||
	    pattern->value.type != VALUE_TEXT)
		return true;
	call->args[1] =
	    jsonpath_atom_pattern(r, at, pattern->value.text, 0, false);
	return call->args[1] != NULL;
}

static const struct script *
member(struct script_reader *r, const struct script *of)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_MEMBER);
	size_t at;

	jsonpath_skip_blanks(r->p);
	at = r->p->at;
	s->name = jsonpath_atom_word(r);
	add(r, s, of);
	if (s->name.n == 0)
		return jsonpath_atom_fail(r, at, "expected a name after '.'");
	if (!take(r, "("))
		return s;
	s->kind = SCRIPT_CALL;
	s->method = jsonpath_method(s->name);
	if (s->method == NULL) {
		jsonpath_fail(
		    r->p, at, "there is no method %.*s here", STR_FMT(s->name));
		return NULL;
	}
	return arguments(r, s, ")") && compile_pattern(r, s, at) ? s : NULL;
}

static const struct script *
computed(struct script_reader *r, const struct script *of)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_COMPUTED);
	const struct script *name = sequence(r, "]");

	add(r, s, of);
	add(r, s, name);
	return name == NULL ? NULL : s;
}

static const struct script *
postfix(struct script_reader *r)
{
	const struct script *s = primary(r);

	while (s != NULL) {
		if (take(r, "."))
			s = member(r, s);
		else if (take(r, "["))
			s = computed(r, s);
		else
			break;
	}
	return s;
}

static const struct script *
unary(struct script_reader *r)
{
	static const struct {
		const char *sign;
		enum script_operator op;
	} signs[] = {
		{ "-", OP_MINUS },
		{ "+", OP_PLUS },
		{ "!", OP_NOT },
		{ "~", OP_BIT_NOT },
	};
	struct script *s = NULL;
	const struct script *operand;

	jsonpath_skip_blanks(r->p);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0] && s == NULL; i++)
		if (jsonpath_take(r->p, signs[i].sign)) {
			s = jsonpath_atom_new(r, SCRIPT_UNARY);
			s->op = signs[i].op;
		}
	if (s == NULL && jsonpath_atom_take_word(r, "typeof")) {
		s = jsonpath_atom_new(r, SCRIPT_UNARY);
		s->op = OP_TYPEOF;
	}
	if (s == NULL)
		return postfix(r);
	if (++r->p->levels > PATH_EXPRESSION_MAX)
		return jsonpath_atom_fail(
		    r, r->p->at, "the script is nested too deeply");
	operand = unary(r);
	r->p->levels--;
	add(r, s, operand);
	return operand == NULL ? NULL : s;
}

/* ---- operators between ---- */

static const struct sign {
	const char *sign;
	enum script_operator op;
	int precedence;
} signs[] = {
	/* those first that begin with others */
	{ ">>>", OP_SHIFT_UNSIGNED, 8 },
	{ "===", OP_SAME, 6 },
	{ "!==", OP_NOT_SAME, 6 },
	{ "<<", OP_SHIFT_LEFT, 8 },
	{ ">>", OP_SHIFT_RIGHT, 8 },
	{ "<=", OP_LESS_EQUAL, 7 },
	{ ">=", OP_GREATER_EQUAL, 7 },
	{ "==", OP_EQUAL, 6 },
	{ "!=", OP_UNEQUAL, 6 },
	{ "||", OP_OR, 1 },
	{ "&&", OP_AND, 2 },
	{ "|", OP_BIT_OR, 3 },
	{ "^", OP_BIT_XOR, 4 },
	{ "&", OP_BIT_AND, 5 },
	{ "<", OP_LESS, 7 },
	{ ">", OP_GREATER, 7 },
	{ "+", OP_ADD, 9 },
	{ "-", OP_SUBTRACT, 9 },
	{ "*", OP_MULTIPLY, 10 },
	{ "/", OP_DIVIDE, 10 },
	{ "%", OP_REMAINDER, 10 },
};

/* The operator that comes next, if it binds at least so closely. */
static const struct sign *
take_operator(struct script_reader *r, int precedence)
{
	jsonpath_skip_blanks(r->p);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
		if (!str_starts(
			str_from(r->p->text, r->p->at), str_of(signs[i].sign)))
			continue;
		if (signs[i].precedence < precedence)
			return NULL;
		r->p->at += strlen(signs[i].sign);
		return &signs[i];
	}
	return NULL;
}

static const struct script *
binary(struct script_reader *r, int precedence)
{
	const struct script *left = unary(r);
	const struct sign *sign;

	while (left != NULL && (sign = take_operator(r, precedence)) != NULL) {
		struct script *s = jsonpath_atom_new(r, SCRIPT_BINARY);
		const struct script *right = binary(r, sign->precedence + 1);

		s->op = sign->op;
		add(r, s, left);
		add(r, s, right);
		left = right == NULL ? NULL : s;
	}
	return left;
}

/* `a ? b : c`, or what stands without the rest. */
static const struct script *
conditional(struct script_reader *r)
{
	const struct script *test = binary(r, 1), *then, *otherwise;
	struct script *s;

	if (test == NULL || !take(r, "?"))
		return test;
	then = expression(r);
	if (then == NULL)
		return NULL;
	if (!take(r, ":"))
		return jsonpath_atom_fail(r, r->p->at, "expected ':'");
	otherwise = expression(r);
	s = jsonpath_atom_new(r, SCRIPT_CONDITION);
	add(r, s, test);
	add(r, s, then);
	add(r, s, otherwise);
	return otherwise == NULL ? NULL : s;
}

static const struct script *
expression(struct script_reader *r)
{
	const struct script *s;

	if (++r->p->levels > PATH_EXPRESSION_MAX)
		return jsonpath_atom_fail(
		    r, r->p->at, "the script is nested too deeply");
	s = conditional(r);
	r->p->levels--;
	if (s != NULL && take(r, "="))
		return jsonpath_atom_fail(
		    r, r->p->at - 1, "'=' assigns: write '=='");
	return r->p->failed ? NULL : s;
}

/* Expressions with ',' or ';' between, up to the end, which is "" for that of
 * the text. */
static const struct script *
sequence(struct script_reader *r, const char *end)
{
	struct script *s = jsonpath_atom_new(r, SCRIPT_SEQUENCE);

	for (;;) {
		const struct script *part;

		while (take(r, ",") || take(r, ";"))
			;
		if (*end == '\0' ? r->p->at >= r->p->text.n : take(r, end))
			break;
		part = expression(r);
		if (part == NULL)
			return NULL;
		add(r, s, part);
		jsonpath_skip_blanks(r->p);
		if (*end == '\0' ? r->p->at >= r->p->text.n : take(r, end))
			break;
		if (jsonpath_peek(r->p) != ',' && jsonpath_peek(r->p) != ';')
			return jsonpath_atom_fail(
			    r, r->p->at, "expected an operator or the end");
	}
	return s->n == 1 ? s->args[0] : s;
}

const struct script *
jsonpath_parse_script(struct path_parser *p)
{
	struct script_reader r = { .p = p };

	return sequence(&r, "");
}
