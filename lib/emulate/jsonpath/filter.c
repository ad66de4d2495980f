/* Parses filter expressions (RFC 9535, 2.3.5) and checks their types (2.4). */
#include <string.h>

#include "emulate/jsonpath/iregexp.h"
#include "emulate/jsonpath/parse.h"
#include "emulate/jsonpath/run.h"

static const struct function {
	const char *name;
	size_t n; /* the number of parameters */
	enum filter_type result, params;
} functions[] = {
	[FUNCTION_LENGTH] = { "length", 1, TYPE_VALUE, TYPE_VALUE },
	[FUNCTION_COUNT] = { "count", 1, TYPE_VALUE, TYPE_NODES },
	[FUNCTION_MATCH] = { "match", 2, TYPE_LOGICAL, TYPE_VALUE },
	[FUNCTION_SEARCH] = { "search", 2, TYPE_LOGICAL, TYPE_VALUE },
	[FUNCTION_VALUE] = { "value", 1, TYPE_VALUE, TYPE_NODES },
};

static struct filter *
new_filter(struct path_parser *p, enum filter_kind kind)
{
	struct filter *f = arena_new(p->arena, struct filter);

	f->kind = kind;
	return f;
}

static bool
deeper(struct path_parser *p)
{
	return ++p->levels <= PATH_EXPRESSION_MAX ||
	    jsonpath_fail(p, p->at, "the expression is nested too deeply");
}

/* ---- literals ---- */

static struct filter *
number(struct path_parser *p)
{
	size_t from = p->at, whole;
	struct filter *f = new_filter(p, FILTER_LITERAL);
	struct json *v = arena_new(p->arena, struct json);
	bool valid;

	jsonpath_take(p, "-");
	whole = p->at;
	valid = jsonpath_skip_digits(p) > 0 &&
	    (p->text.s[whole] != '0' || p->at == whole + 1);
	if (jsonpath_take(p, "."))
		valid = jsonpath_skip_digits(p) > 0 && valid;
	if (jsonpath_take(p, "e") || jsonpath_take(p, "E")) {
		if (!jsonpath_take(p, "+"))
			jsonpath_take(p, "-");
		valid = jsonpath_skip_digits(p) > 0 && valid;
	}
	if (!valid) {
		jsonpath_fail(p, from, "expected a number as JSON has it");
		return NULL;
	}
	v->type = JSON_NUMBER;
	v->span = 1;
	v->text = str_slice(p->text, from, p->at);
	f->literal = v;
	return f;
}

static struct filter *
text(struct path_parser *p)
{
	struct filter *f = new_filter(p, FILTER_LITERAL);

	if (!jsonpath_parse_text(p, &f->text))
		return NULL;
	f->literal = jsonpath_new_text(p->arena, f->text);
	return f;
}

/* ---- functions ---- */

static enum filter_type
type_of(const struct filter *f)
{
	if (f->kind == FILTER_CALL)
		return functions[f->function].result;
	if (f->kind == FILTER_QUERY)
		return TYPE_NODES;
	return f->kind == FILTER_LITERAL ? TYPE_VALUE : TYPE_LOGICAL;
}

/* Returns whether the expression is a value; a query that selects at most one
 * node is a value too. */
static bool
is_value(const struct filter *f)
{
	return type_of(f) == TYPE_VALUE ||
	    (f->kind == FILTER_QUERY && jsonpath_is_singular(&f->query));
}

static bool
is_well_typed(const struct filter *arg, enum filter_type type)
{
	return type == TYPE_VALUE ? is_value(arg) : type_of(arg) == type;
}

static const struct filter *primary(struct path_parser *);

static bool
arguments(struct path_parser *p, struct filter *call)
{
	const struct function *f = &functions[call->function];
	size_t at;

	for (size_t i = 0; i < f->n; i++) {
		jsonpath_skip_blanks(p);
		if (i > 0 && !jsonpath_take(p, ","))
			break;
		jsonpath_skip_blanks(p);
		at = p->at;
		if (jsonpath_peek(p) == ')')
			break;
		call->args[i] = primary(p);
		if (call->args[i] == NULL)
			return false;
		if (!is_well_typed(call->args[i], f->params))
			return jsonpath_fail(p, at, "%s takes %s", f->name,
			    f->params == TYPE_NODES
				? "a query"
				: "a value: of queries only those that select "
				  "one at most");
	}
	jsonpath_skip_blanks(p);
	return (call->args[f->n - 1] != NULL && jsonpath_take(p, ")")) ||
	    jsonpath_fail(p, p->at, "%s takes %s", f->name,
		f->n == 1 ? "one argument" : "two arguments");
}

/* Compiles a literal pattern, so that it is compiled only once. */
static bool
literal_pattern(struct path_parser *p, struct filter *call, size_t at)
{
	const struct filter *pattern = call->args[1];
	struct regex_error error;

	if ((call->function != FUNCTION_MATCH &&
		call->function != FUNCTION_SEARCH) ||
	    pattern->kind != FILTER_LITERAL ||
	    !json_is(pattern->literal, JSON_STRING))
		return true;
	call->regex = jsonpath_keep_regex(p,
	    iregexp_compile(p->arena, json_text(pattern->literal, p->arena),
		call->function == FUNCTION_MATCH, &error));
	return call->regex != NULL ||
	    jsonpath_fail(p, at, "%s: the pattern is wrong: %.*s",
		functions[call->function].name, STR_FMT(error.why));
}

static struct filter *
call(struct path_parser *p)
{
	struct filter *f = new_filter(p, FILTER_CALL);
	size_t from = p->at;
	struct str name;
	bool valid;

	while ((jsonpath_peek(p) >= 'a' && jsonpath_peek(p) <= 'z') ||
	    (p->at > from &&
		(jsonpath_peek(p) == '_' || jsonpath_skip_digits(p) > 0)))
		p->at++;
	name = str_slice(p->text, from, p->at);
	for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
		f->function = (enum filter_function)i;
		if (!str_is(name, functions[i].name))
			continue;
		if (!jsonpath_take(p, "(")) {
			jsonpath_fail(p, p->at, "expected '(' after %s",
			    functions[i].name);
			return NULL;
		}
		valid =
		    deeper(p) && arguments(p, f) && literal_pattern(p, f, from);
		p->levels--;
		return valid ? f : NULL;
	}
	jsonpath_fail(p, from,
	    name.n > 0 ? "no such function"
		       : "expected a query, a literal or a function");
	return NULL;
}

/* ---- expressions ---- */

static struct filter *
word(struct path_parser *p)
{
	static const struct {
		const char *word;
		struct json value;
	} words[] = {
		{ "true", { { "true", 4 }, 1, JSON_TRUE, 0 } },
		{ "false", { { "false", 5 }, 1, JSON_FALSE, 0 } },
		{ "null", { { "null", 4 }, 1, JSON_NULL, 0 } },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (jsonpath_take(p, words[i].word)) {
			struct filter *f = new_filter(p, FILTER_LITERAL);

			f->literal = &words[i].value;
			return f;
		}
	return call(p);
}

/* Parses an expression that can be compared, tested, or passed as an
 * argument. */
static const struct filter *
primary(struct path_parser *p)
{
	char c = jsonpath_peek(p);
	struct filter *f;

	if (c == '\'' || c == '"')
		return text(p);
	if (c == '-' || (c >= '0' && c <= '9'))
		return number(p);
	if (c != '@' && c != '$')
		return word(p);
	f = new_filter(p, FILTER_QUERY);
	return jsonpath_parse_query(p, &f->query) ? f : NULL;
}

static bool
comparison(struct path_parser *p, enum filter_compare *compare)
{
	static const struct {
		const char *sign;
		enum filter_compare compare;
	} signs[] = {
		{ "==", COMPARE_EQUAL },
		{ "!=", COMPARE_UNEQUAL },
		{ "<=", COMPARE_LESS_EQUAL },
		{ ">=", COMPARE_GREATER_EQUAL },
		{ "<", COMPARE_LESS },
		{ ">", COMPARE_GREATER },
	};
	size_t before = p->at;

	jsonpath_skip_blanks(p);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (jsonpath_take(p, signs[i].sign)) {
			*compare = signs[i].compare;
			jsonpath_skip_blanks(p);
			return true;
		}
	p->at = before;
	return false;
}

/* Parses a comparison, or a test of a query or of a logical function. */
static const struct filter *
basic(struct path_parser *p)
{
	size_t from = p->at, right_at;
	const struct filter *left = primary(p), *right;
	enum filter_compare compare;
	struct filter *f;

	if (left == NULL)
		return NULL;
	if (!comparison(p, &compare)) {
		if (type_of(left) != TYPE_VALUE)
			return left;
		jsonpath_fail(p, from, "a value must be compared");
		return NULL;
	}
	right_at = p->at;
	right = primary(p);
	if (right == NULL)
		return NULL;
	f = new_filter(p, FILTER_COMPARE);
	f->compare = compare;
	f->args[0] = left;
	f->args[1] = right;
	if (is_value(left) && is_value(right))
		return f;
	jsonpath_fail(p, is_value(left) ? right_at : from,
	    "only values can be compared: literals, queries that select one "
	    "at most, length, count and value");
	return NULL;
}

static const struct filter *
negatable(struct path_parser *p)
{
	bool negated = jsonpath_take(p, "!");
	const struct filter *f;
	struct filter * not ;
	size_t from;

	jsonpath_skip_blanks(p);
	from = p->at;
	if (jsonpath_take(p, "(")) {
		f = jsonpath_parse_filter(p);
		if (f != NULL && !jsonpath_take(p, ")")) {
			jsonpath_fail(p, p->at, "expected ')'");
			return NULL;
		}
	} else {
		f = basic(p);
		if (negated && f != NULL && f->kind == FILTER_COMPARE) {
			jsonpath_fail(
			    p, from, "a comparison after '!' needs (...)");
			return NULL;
		}
	}
	if (!negated || f == NULL)
		return f;
	not = new_filter(p, FILTER_NOT);
	not ->args[0] = f;
	return not ;
}

/* Parses operands with this sign between them. Pairs nest to the right, so that
 * they can be evaluated without recursion. */
static const struct filter *
chain(struct path_parser *p, enum filter_kind kind, const char *sign,
    const struct filter *(*operand)(struct path_parser *))
{
	const struct filter *first = operand(p), **end = &first;

	for (;;) {
		struct filter *pair;

		jsonpath_skip_blanks(p);
		if (*end == NULL || !jsonpath_take(p, sign))
			return *end == NULL ? NULL : first;
		jsonpath_skip_blanks(p);
		pair = new_filter(p, kind);
		pair->args[0] = *end;
		*end = pair;
		end = &pair->args[1];
		*end = operand(p);
	}
}

static const struct filter *
conjunction(struct path_parser *p)
{
	return chain(p, FILTER_AND, "&&", negatable);
}

const struct filter *
jsonpath_parse_filter(struct path_parser *p)
{
	const struct filter *f = NULL;

	jsonpath_skip_blanks(p);
	if (deeper(p))
		f = chain(p, FILTER_OR, "||", conjunction);
	p->levels--;
	return f;
}
