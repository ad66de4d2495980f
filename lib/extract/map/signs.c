#include "extract/map/signs.h"

#include "emulate/jsonpath/tree.h"

/* Returns whether no byte of the text has a meaning in conditions, or is escaped in
 * JSON. */
static bool
is_plain(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] <= ' ' ||
		    strchr("=*[{#!|,\"\\", text.s[i]) != NULL)
			return false;
	return text.n != 0;
}

static bool
is_plain_name(struct str name)
{
	return is_plain(name) && !str_contains(name, STR(".")) &&
	    !ascii_is_digit((unsigned char)*name.s);
}

/* Returns the only selector of the query's segment, or NULL. */
static const struct selector *
selector_of(const struct query *q, size_t segment)
{
	const struct segment *s;

	if (segment >= q->n)
		return NULL;
	s = &q->segments[segment];
	return s->kind == SEGMENT_CHILDREN && s->n == 1 ? s->selectors : NULL;
}

/* Returns the member of the record in which the query begins; absent if the query
 * may begin elsewhere. */
static struct str
member_of(const struct filter *f)
{
	const struct query *q = &f->query;
	const struct selector *s;

	if (f->kind != FILTER_QUERY)
		return (struct str){ 0 };
	s = selector_of(q, 0);
	return s != NULL && s->kind == SELECT_NAME && is_plain_name(s->name)
	    ? s->name
	    : (struct str){ 0 };
}

/* Returns the sign of a comparison of a query with a literal. A query that finds
 * nothing differs from every literal. */
static struct str
sign_of_comparison(struct arena *a, const struct filter *f)
{
	bool turned = f->args[0]->kind == FILTER_LITERAL;
	const struct filter *query = f->args[turned ? 1 : 0];
	const struct filter *literal = f->args[turned ? 0 : 1];
	struct str name = member_of(query), value;

	if (f->compare == COMPARE_UNEQUAL || literal->kind != FILTER_LITERAL ||
	    name.n == 0)
		return (struct str){ 0 };
	value = json_text(literal->literal, a);
	if (f->compare != COMPARE_EQUAL || !is_plain(value) ||
	    query->query.n != 1)
		return name;
	return str_printf(a, "%.*s=%.*s", STR_FMT(name), STR_FMT(value));
}

/* Returns the signs of which a value for which the filter holds has one; absent
 * if the filter may hold without any. */
static struct str
signs_of(struct arena *a, const struct filter *f)
{
	struct str left, right;

	switch (f->kind) {
	case FILTER_OR:
		left = signs_of(a, f->args[0]);
		right = signs_of(a, f->args[1]);
		return left.n == 0 || right.n == 0
		    ? str_of(NULL)
		    : str_printf(
			  a, "%.*s, %.*s", STR_FMT(left), STR_FMT(right));
	case FILTER_AND:
		left = signs_of(a, f->args[0]);
		right = signs_of(a, f->args[1]);
		/* A value is a rarer sign than a name. */
		return left.n == 0 || str_contains(right, "=") ? right : left;
	case FILTER_COMPARE:
		return sign_of_comparison(a, f);
	case FILTER_QUERY:
		return member_of(f);
	case FILTER_CALL:
		return f->function == FUNCTION_MATCH ||
			f->function == FUNCTION_SEARCH
		    ? member_of(f->args[0])
		    : (struct str){ 0 };
	default:
		return (struct str){ 0 };
	}
}

const char *
map_signs(struct arena *a, const struct jsonpath *condition)
{
	struct str signs = signs_of(a, condition->condition);

	return signs.n == 0 ? NULL : str_c(a, signs);
}
