/* Finds the places where jsonpath-plus does not read a path as RFC 9535 does,
 * and where a bracket is not closed, of which jsonpath-plus says nothing. */
#include "emulate/jsonpath/jsonpath.h"
#include "emulate/jsonpath/tree.h"

/* ---- brackets ---- */

/* Returns the end of the text in quotes that begins here, or `at` if the quotes
 * are not closed. */
static size_t
skip_quoted(struct str path, size_t at)
{
	for (size_t i = at + 1; i < path.n; i++) {
		if (path.s[i] == '\\')
			i++;
		else if (path.s[i] == path.s[at])
			return i;
	}
	return at;
}

/* Returns whether a bracket stays open, and where; with `quotes`, brackets in
 * quotes within brackets do not count. */
static bool
stays_open(struct str path, bool quotes, size_t *offset)
{
	size_t depth = 0;

	for (size_t i = 0; i < path.n; i++) {
		char c = path.s[i];

		if (c == '[' && depth++ == 0)
			*offset = i;
		else if (c == ']' && depth > 0)
			depth--;
		else if ((c == '\'' || c == '"') && quotes && depth > 0)
			i = skip_quoted(path, i);
	}
	return depth > 0;
}

bool
jsonpath_is_open(struct str path, size_t *offset)
{
	size_t ignored;

	return stays_open(path, true, offset) &&
	    stays_open(path, false, &ignored);
}

/* ---- names ---- */

static bool
is_index(const struct selector *s, int64_t index, struct arena *a)
{
	return (s->has_index && s->index == index) ||
	    str_eq(s->name, str_int(a, index));
}

/* Returns whether jsonpath-plus's selector looks for another name than RFC
 * 9535's selector at the same place. */
static bool
is_other_name(const struct selector *plus, const struct selector *standard,
    struct arena *a)
{
	if (plus->kind != SELECT_PROPERTY)
		return false;
	if (standard == NULL)
		return true;
	if (standard->kind == SELECT_NAME)
		return !str_eq(plus->name, standard->name);
	return standard->kind != SELECT_INDEX ||
	    !is_index(plus, standard->index, a);
}

static bool
has_outer_blank(struct str name)
{
	return str_trim(name).n != name.n;
}

static const struct selector *
selector_at(const struct jsonpath *path, size_t segment, size_t selector)
{
	const struct query *q = &path->query;

	return segment < q->n && selector < q->segments[segment].n
	    ? &q->segments[segment].selectors[selector]
	    : NULL;
}

/* Returns the first name that `plus` looks for and the author hardly means;
 * `standard` is the path by RFC 9535, or NULL if it is none. */
static const struct selector *
first_misread(const struct jsonpath *plus, const struct jsonpath *standard,
    struct arena *a)
{
	for (size_t i = 0; i < plus->query.n; i++)
		for (size_t k = 0; k < plus->query.segments[i].n; k++) {
			const struct selector *s =
			    &plus->query.segments[i].selectors[k];

			if (standard == NULL
				? s->kind == SELECT_PROPERTY &&
				    has_outer_blank(s->name)
				: is_other_name(
				      s, selector_at(standard, i, k), a))
				return s;
		}
	return NULL;
}

bool
jsonpath_misread(struct arena *a, struct str path, struct str *name)
{
	struct jsonpath_error ignored;
	struct jsonpath *plus =
	    jsonpath_compile(a, path, JSONPATH_PLUS, &ignored);
	struct jsonpath *standard =
	    jsonpath_compile(a, path, JSONPATH_RFC9535, &ignored);
	const struct selector *s =
	    plus == NULL ? NULL : first_misread(plus, standard, a);

	if (s != NULL)
		*name = s->name;
	if (plus != NULL)
		jsonpath_free(plus);
	if (standard != NULL)
		jsonpath_free(standard);
	return s != NULL;
}
