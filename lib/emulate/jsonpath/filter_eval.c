/* Evaluates filters of RFC 9535 and their functions. */
#include "emulate/jsonpath/eval.h"
#include "emulate/jsonpath/iregexp.h"

static bool test(
    struct path_run *, const struct filter *, const struct path_node *);

/* Returns the value of the expression, or NULL for Nothing. */
static const struct json *value_of(
    struct path_run *, const struct filter *, const struct path_node *);

/* ---- functions ---- */

static const struct json *
length(struct path_run *run, const struct json *v)
{
	struct path_node node = { .value = v };
	struct selector all = { .kind = SELECT_ALL };
	struct segment children = { .selectors = &all, .n = 1 };
	struct query query = {
		.relative = true, .segments = &children, .n = 1
	};
	struct path_sink sink = { .n = 0 };

	if (json_is(v, JSON_STRING))
		sink.n = str_characters(json_text(v, run->arena));
	else if (json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT))
		jsonpath_visit(run, &query, &node, &sink);
	else
		return NULL;
	return jsonpath_new_number(run->arena, (double)sink.n);
}

static const struct json *
count(struct path_run *run, const struct query *query,
    const struct path_node *node)
{
	struct path_sink sink = { .n = 0 };

	jsonpath_visit(run, query, node, &sink);
	return jsonpath_new_number(run->arena, (double)sink.n);
}

/* Returns the value that the query selects, if it selects exactly one. */
static const struct json *
single_value(struct path_run *run, const struct query *query,
    const struct path_node *node)
{
	struct path_sink sink = { .keep = true, .enough = 2 };

	if (query->single)
		return jsonpath_find_single(run, query, node);
	jsonpath_visit(run, query, node, &sink);
	return sink.n == 1 ? sink.values[0] : NULL;
}

static bool
search(struct path_run *run, const struct regex *regex, struct str text)
{
	enum regex_found found = regex_search(regex, text, NULL, run->arena);

	jsonpath_spend(run, text.n / 16);
	if (found == REGEX_LIMIT)
		run->cut = true;
	return found == REGEX_YES;
}

/* Evaluates match and search. A pattern that is no I-Regexp matches nothing. */
static bool
matches(struct path_run *run, const struct filter *call,
    const struct path_node *node)
{
	const struct json *text = value_of(run, call->args[0], node);
	const struct json *pattern;
	struct regex_error error;
	struct regex *regex;
	bool found;

	if (!json_is(text, JSON_STRING))
		return false;
	if (call->regex != NULL)
		return search(run, call->regex, json_text(text, run->arena));
	pattern = value_of(run, call->args[1], node);
	if (!json_is(pattern, JSON_STRING))
		return false;
	regex = iregexp_compile(run->arena, json_text(pattern, run->arena),
	    call->function == FUNCTION_MATCH, &error);
	if (regex == NULL)
		return false;
	jsonpath_spend(run, 1000 + pattern->text.n);
	found = search(run, regex, json_text(text, run->arena));
	regex_free(regex);
	return found;
}

/* ---- expressions ---- */

static const struct json *
value_of(
    struct path_run *run, const struct filter *f, const struct path_node *node)
{
	if (f->kind == FILTER_LITERAL)
		return f->literal;
	if (f->kind == FILTER_QUERY)
		return single_value(run, &f->query, node);
	switch (f->function) {
	case FUNCTION_LENGTH:
		return length(run, value_of(run, f->args[0], node));
	case FUNCTION_COUNT:
		return count(run, &f->args[0]->query, node);
	default:
		return single_value(run, &f->args[0]->query, node);
	}
}

static bool
equal(struct path_run *run, const struct json *a, const struct json *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return jsonpath_equal(run, a, b);
}

/* Compares numbers by value and texts by their characters; other values have no
 * order. */
static bool
less(struct path_run *run, const struct json *a, const struct json *b)
{
	if (json_is(a, JSON_NUMBER) && json_is(b, JSON_NUMBER))
		return json_double(a) < json_double(b);
	if (json_is(a, JSON_STRING) && json_is(b, JSON_STRING))
		return str_cmp(json_text(a, run->arena),
			   json_text(b, run->arena)) < 0;
	return false;
}

static bool
compare(
    struct path_run *run, const struct filter *f, const struct path_node *node)
{
	const struct json *a = value_of(run, f->args[0], node);
	const struct json *b;

	if (f->args[1]->text.s != NULL && f->compare == COMPARE_EQUAL)
		return json_str_is(a, f->args[1]->text);
	b = value_of(run, f->args[1], node);

	switch (f->compare) {
	case COMPARE_EQUAL:
		return equal(run, a, b);
	case COMPARE_UNEQUAL:
		return !equal(run, a, b);
	case COMPARE_LESS:
		return less(run, a, b);
	case COMPARE_LESS_EQUAL:
		return less(run, a, b) || equal(run, a, b);
	case COMPARE_GREATER:
		return less(run, b, a);
	default:
		return less(run, b, a) || equal(run, a, b);
	}
}

static bool
exists(struct path_run *run, const struct query *query,
    const struct path_node *node)
{
	struct path_sink sink = { .enough = 1 };

	jsonpath_visit(run, query, node, &sink);
	return sink.n > 0;
}

/* Evaluates a logical expression. Chains of the same operator nest to the right
 * and need no recursion. */
static bool
test(struct path_run *run, const struct filter *f, const struct path_node *node)
{
	for (; f->kind == FILTER_OR || f->kind == FILTER_AND; f = f->args[1])
		if (test(run, f->args[0], node) == (f->kind == FILTER_OR))
			return f->kind == FILTER_OR;
	switch (f->kind) {
	case FILTER_NOT:
		return !test(run, f->args[0], node);
	case FILTER_COMPARE:
		return compare(run, f, node);
	case FILTER_QUERY:
		return exists(run, &f->query, node);
	default:
		return matches(run, f, node);
	}
}

bool
jsonpath_filter_test(
    struct path_run *run, const struct filter *f, const struct path_node *node)
{
	return jsonpath_spend(run, 1) && test(run, f, node);
}
