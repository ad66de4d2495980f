/* Parses scripts: JavaScript's expressions, as far as jsonpath-plus supports
 * them: no functions, no objects, no names except those of the node. */
#include "emulate/jsonpath/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "emulate/jsonpath/parse.h"

struct reader {
	struct path_parser *p;
	struct str variables[SCRIPT_VARIABLES_MAX];
	size_t n_variables;
	size_t size; /* the number of expressions so far */
};

static const struct script *
fail(struct reader *r, size_t at, const char *why)
{
	jsonpath_fail(r->p, at, "%s", why);
	return NULL;
}

static struct script *
new_script(struct reader *r, enum script_kind kind)
{
	struct script *s = arena_new(r->p->arena, struct script);

	if (++r->size > SCRIPT_SIZE_MAX)
		fail(r, r->p->at, "the script is too long");
	s->kind = kind;
	return s;
}

static const struct script *
new_value(struct reader *r, struct value value)
{
	struct script *s = new_script(r, SCRIPT_VALUE);

	s->value = value;
	return s;
}

/* ---- words ---- */

static struct str
word(struct reader *r)
{
	struct path_parser *p = r->p;
	size_t from = p->at;

	for (; p->at < p->text.n; p->at++) {
		char c = jsonpath_peek(p);

		if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && c != '_' &&
		    c != '$' && (unsigned char)c < 0x80 &&
		    (!ascii_is_digit(c) || p->at == from))
			break;
	}
	return str_slice(p->text, from, p->at);
}

static bool
take_word(struct reader *r, const char *wanted)
{
	size_t before = r->p->at;

	if (str_is(word(r), wanted))
		return true;
	r->p->at = before;
	return false;
}

static const struct script *
context(struct reader *r)
{
	static const struct {
		const char *name;
		enum script_context context;
	} names[] = {
		{ "", CONTEXT_THIS },
		{ "property", CONTEXT_PROPERTY },
		{ "parent", CONTEXT_PARENT },
		{ "parentProperty", CONTEXT_PARENT_PROPERTY },
		{ "root", CONTEXT_ROOT },
		{ "path", CONTEXT_PATH },
	};
	size_t at = r->p->at++;
	struct str name = word(r);
	struct script *s = new_script(r, SCRIPT_CONTEXT);

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (str_is(name, names[i].name)) {
			s->context = names[i].context;
			return s;
		}
	return fail(r, at,
	    "after '@' expected '.', property, parent, parentProperty, root "
	    "or path");
}

/* ---- literals ---- */

static bool
is_number(const struct reader *r)
{
	struct str rest = str_from(r->p->text, r->p->at);

	if (str_starts(rest, "."))
		rest = str_from(rest, 1);
	return rest.n > 0 && ascii_is_digit(*rest.s);
}

static const struct script *
number(struct reader *r)
{
	struct path_parser *p = r->p;
	size_t from = p->at;
	struct str digits;

	jsonpath_skip_digits(p);
	if (jsonpath_take(p, "."))
		jsonpath_skip_digits(p);
	if (jsonpath_take(p, "e") || jsonpath_take(p, "E")) {
		if (!jsonpath_take(p, "+"))
			jsonpath_take(p, "-");
		if (jsonpath_skip_digits(p) == 0)
			return fail(r, from, "expected a number");
	}
	digits = str_slice(p->text, from, p->at);
	if (word(r).n > 0)
		return fail(r, from, "expected a number");
	return new_value(
	    r, script_value_number(strtod(str_c(p->arena, digits), NULL)));
}

static const struct script *
text(struct reader *r)
{
	static const char from[] = "nrtbfv", to[] = "\n\r\t\b\f\v";
	struct path_parser *p = r->p;
	size_t at = p->at, n = 0;
	char quote = p->text.s[p->at++];
	char *copy = arena_alloc(p->arena, p->text.n - p->at);

	for (; p->at < p->text.n && p->text.s[p->at] != quote; p->at++) {
		char c = p->text.s[p->at];
		const char *escape = NULL;

		if (c == '\\' && p->at + 1 < p->text.n) {
			c = p->text.s[++p->at];
			escape = c == '\0' ? NULL : strchr(from, c);
		}
		copy[n++] = (char)(escape == NULL ? c : to[escape - from]);
	}
	if (p->at >= p->text.n)
		return fail(r, at, "quotes without end");
	p->at++;
	return new_value(r, script_value_text((struct str){ copy, n }));
}

static const struct script *
pattern_value(struct reader *r, size_t at, struct str pattern, unsigned flags,
    bool global)
{
	struct regex_error error;
	struct value v = {
		.type = VALUE_REGEX, .text = pattern, .global = global
	};

	v.regex = jsonpath_keep_regex(
	    r->p, regex_compile(r->p->arena, REGEX_JS, pattern, flags, &error));
	if (v.regex != NULL)
		return new_value(r, v);
	jsonpath_fail(r->p, at + error.offset, "the pattern is wrong: %.*s",
	    STR_FMT(error.why));
	return NULL;
}

static bool
regex_flags(struct reader *r, unsigned *flags, bool *global)
{
	size_t at = r->p->at;
	struct str letters = word(r);

	*flags = 0;
	*global = false;
	for (size_t i = 0; i < letters.n; i++) {
		char c = letters.s[i];

		if (c == 'i')
			*flags |= REGEX_CASELESS;
		else if (c == 'm')
			*flags |= REGEX_MULTILINE;
		else if (c == 's')
			*flags |= REGEX_DOTALL;
		else if (c == 'y')
			*flags |= REGEX_STICKY;
		else if (c == 'g')
			*global = true;
		else if (c != 'd') /* does not affect the result */
			return jsonpath_fail(r->p, at + i,
			    "the pattern's flag %c is unknown here", c);
	}
	return true;
}

static const struct script *
regex(struct reader *r)
{
	struct path_parser *p = r->p;
	size_t from = ++p->at;
	bool class = false, global;
	struct str pattern;
	unsigned flags;

	for (; p->at < p->text.n; p->at++) {
		char c = p->text.s[p->at];

		if (c == '/' && !class)
			break;
		if (c == '\\')
			p->at++;
		else if (c == '[')
			class = true;
		else if (c == ']')
			class = false;
	}
	if (p->at >= p->text.n)
		return fail(r, from - 1, "a pattern without end");
	pattern = str_slice(p->text, from, p->at++);
	return regex_flags(r, &flags, &global)
	    ? pattern_value(r, from, pattern, flags, global)
	    : NULL;
}

/* ---- expressions ---- */

static const struct script *expression(struct reader *);
static const struct script *sequence(struct reader *, const char *end);

static void
add(struct reader *r, struct script *s, const struct script *arg)
{
	*arena_push(r->p->arena, s->args, s->n) = arg;
}

/* Skips blanks, and reads the sign if it comes next. */
static bool
take(struct reader *r, const char *sign)
{
	jsonpath_skip_blanks(r->p);
	return jsonpath_take(r->p, sign);
}

/* ---- names ---- */

static const struct script *
assignment(struct reader *r, struct str name)
{
	struct script *s = new_script(r, SCRIPT_ASSIGN);
	const struct script *value = expression(r);

	while (s->variable < r->n_variables &&
	    !str_eq(r->variables[s->variable], name))
		s->variable++;
	if (s->variable == SCRIPT_VARIABLES_MAX)
		return fail(r, r->p->at, "too many variables");
	if (s->variable == r->n_variables)
		r->variables[r->n_variables++] = name;
	add(r, s, value);
	return value == NULL ? NULL : s;
}

static const struct script *
variable(struct reader *r)
{
	size_t at = r->p->at;
	struct str name = word(r);
	struct script *s;

	if (name.n == 0)
		return fail(r, at,
		    at >= r->p->text.n ? "the expression ends too early"
				       : "expected a value");
	jsonpath_skip_blanks(r->p);
	if (jsonpath_peek(r->p) == '=' &&
	    !str_starts(str_from(r->p->text, r->p->at), "==")) {
		r->p->at++;
		return assignment(r, name);
	}
	s = new_script(r, SCRIPT_VARIABLE);
	for (; s->variable < r->n_variables; s->variable++)
		if (str_eq(r->variables[s->variable], name))
			return s;
	jsonpath_fail(r->p, at, "%.*s is not defined", STR_FMT(name));
	return NULL;
}

static const struct script *
named_value(struct reader *r)
{
	if (take_word(r, "true"))
		return new_value(r, script_value_boolean(true));
	if (take_word(r, "false"))
		return new_value(r, script_value_boolean(false));
	if (take_word(r, "null"))
		return new_value(r, (struct value){ .type = VALUE_NULL });
	if (take_word(r, "undefined"))
		return new_script(r, SCRIPT_VALUE);
	return variable(r);
}

/* ---- values and what is done with them ---- */

/* Reads expressions with commas between them, up to the closing bracket. */
static bool
arguments(struct reader *r, struct script *s, const char *end)
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
list(struct reader *r)
{
	struct script *s = new_script(r, SCRIPT_LIST);

	r->p->at++;
	return arguments(r, s, "]") ? s : NULL;
}

static const struct script *
primary(struct reader *r)
{
	char c = jsonpath_peek(r->p);

	if (c == '@')
		return context(r);
	if (is_number(r))
		return number(r);
	if (c == '"' || c == '\'')
		return text(r);
	if (c == '/')
		return regex(r);
	if (c == '[')
		return list(r);
	if (jsonpath_take(r->p, "("))
		return sequence(r, ")");
	return named_value(r);
}

/* Compiles a pattern that is given as a text, so that it is compiled only
 * once. */
static bool
compile_pattern(struct reader *r, struct script *call, size_t at)
{
	const struct script *pattern = call->n > 1 ? call->args[1] : NULL;

	if ((!str_is(call->name, "match") && !str_is(call->name, "search")) ||
	    pattern == NULL || pattern->kind != SCRIPT_VALUE ||
	    pattern->value.type != VALUE_TEXT)
		return true;
	call->args[1] = pattern_value(r, at, pattern->value.text, 0, false);
	return call->args[1] != NULL;
}

static const struct script *
member(struct reader *r, const struct script *of)
{
	struct script *s = new_script(r, SCRIPT_MEMBER);
	size_t at;

	jsonpath_skip_blanks(r->p);
	at = r->p->at;
	s->name = word(r);
	add(r, s, of);
	if (s->name.n == 0)
		return fail(r, at, "expected a name after '.'");
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
computed(struct reader *r, const struct script *of)
{
	struct script *s = new_script(r, SCRIPT_COMPUTED);
	const struct script *name = sequence(r, "]");

	add(r, s, of);
	add(r, s, name);
	return name == NULL ? NULL : s;
}

static const struct script *
postfix(struct reader *r)
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
unary(struct reader *r)
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
			s = new_script(r, SCRIPT_UNARY);
			s->op = signs[i].op;
		}
	if (s == NULL && take_word(r, "typeof")) {
		s = new_script(r, SCRIPT_UNARY);
		s->op = OP_TYPEOF;
	}
	if (s == NULL)
		return postfix(r);
	if (++r->p->levels > PATH_EXPRESSION_MAX)
		return fail(r, r->p->at, "the script is nested too deeply");
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
	/* signs before those that are their beginnings */
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

/* Reads the next operator, if it has at least this precedence. */
static const struct sign *
take_operator(struct reader *r, int precedence)
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
binary(struct reader *r, int precedence)
{
	const struct script *left = unary(r);
	const struct sign *sign;

	while (left != NULL && (sign = take_operator(r, precedence)) != NULL) {
		struct script *s = new_script(r, SCRIPT_BINARY);
		const struct script *right = binary(r, sign->precedence + 1);

		s->op = sign->op;
		add(r, s, left);
		add(r, s, right);
		left = right == NULL ? NULL : s;
	}
	return left;
}

/* Parses `a ? b : c`, or an expression without the `?`. */
static const struct script *
conditional(struct reader *r)
{
	const struct script *test = binary(r, 1), *then, *otherwise;
	struct script *s;

	if (test == NULL || !take(r, "?"))
		return test;
	then = expression(r);
	if (then == NULL)
		return NULL;
	if (!take(r, ":"))
		return fail(r, r->p->at, "expected ':'");
	otherwise = expression(r);
	s = new_script(r, SCRIPT_CONDITION);
	add(r, s, test);
	add(r, s, then);
	add(r, s, otherwise);
	return otherwise == NULL ? NULL : s;
}

static const struct script *
expression(struct reader *r)
{
	const struct script *s;

	if (++r->p->levels > PATH_EXPRESSION_MAX)
		return fail(r, r->p->at, "the script is nested too deeply");
	s = conditional(r);
	r->p->levels--;
	if (s != NULL && take(r, "="))
		return fail(r, r->p->at - 1, "'=' assigns: write '=='");
	return r->p->failed ? NULL : s;
}

/* Parses expressions with ',' or ';' between them, up to `end`, which is "" for
 * the end of the text. */
static const struct script *
sequence(struct reader *r, const char *end)
{
	struct script *s = new_script(r, SCRIPT_SEQUENCE);

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
			return fail(
			    r, r->p->at, "expected an operator or the end");
	}
	return s->n == 1 ? s->args[0] : s;
}

const struct script *
jsonpath_parse_script(struct path_parser *p)
{
	struct reader r = { .p = p };

	return sequence(&r, "");
}
