/*
 * The compiled form of a path: segments, each of which turns a node into more
 * nodes. RFC 9535's filters and jsonpath-plus's scripts are languages of their
 * own, each with its own tree.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/json.h"

enum {
	PATH_SEGMENTS_MAX = 1000, /* of one path */
	PATH_PLUS_MAX = 16384,    /* bytes; parsing takes quadratic time */
	PATH_FILTERS_MAX = 16,    /* nested filters */
	/* nested levels of one filter's expression */
	PATH_EXPRESSION_MAX = 200,
};

struct filter;
struct script;

/* `@number()` */
struct path_type {
	const char *name;
	bool (*has)(const struct json *);
};

enum selector_kind {
	SELECT_NAME,  /* the member of this name */
	SELECT_INDEX, /* the element, counted from the end if negative */
	SELECT_ALL,
	SELECT_SLICE,
	SELECT_FILTER,
	/* jsonpath-plus's */
	SELECT_PROPERTY, /* as in JavaScript: members, elements, length */
	SELECT_COMPUTED, /* the property that a script names */
	SELECT_IF,       /* the children of which a script is true */
	SELECT_SELF,
};

struct selector {
	enum selector_kind kind;
	struct str name;  /* NAME, PROPERTY */
	struct str first; /* PROPERTY: looked up before name; or absent */
	bool has_index;   /* PROPERTY of a list: index applies, as in INDEX */
	bool has_start, has_end;
	int64_t index; /* INDEX */
	int64_t start, end, step;
	const struct filter *filter;
	const struct script *script;
};

enum segment_kind {
	SEGMENT_CHILDREN, /* the nodes that the selectors select */
	SEGMENT_DEEP,     /* the node and all containers in it */
	/* jsonpath-plus's; TYPE and KEY end a path */
	SEGMENT_PARENT,
	SEGMENT_TYPE, /* the node, if it has the type */
	SEGMENT_KEY,  /* the node's name or index */
};

struct segment {
	enum segment_kind kind;
	struct selector *selectors;
	size_t n;
	/* jsonpath-plus: the token's text. If the node before was reached by a
	 * property and has a property of this name, the token selects that
	 * property. Absent if this does not apply. */
	struct str literal;
	const struct path_type *type; /* TYPE */
};

struct query {
	bool relative; /* starts at the current node, @ */
	bool single;   /* RFC 9535: only names and indices */
	struct segment *segments;
	size_t n;
};

/* ---- RFC 9535, 2.3.5: filters ---- */

enum filter_kind {
	FILTER_OR,
	FILTER_AND,
	FILTER_NOT,
	FILTER_COMPARE,
	FILTER_QUERY, /* in a test: whether the query selects anything */
	FILTER_CALL,
	FILTER_LITERAL,
};

enum filter_compare {
	COMPARE_EQUAL,
	COMPARE_UNEQUAL,
	COMPARE_LESS,
	COMPARE_LESS_EQUAL,
	COMPARE_GREATER,
	COMPARE_GREATER_EQUAL,
};

enum filter_type { TYPE_VALUE, TYPE_LOGICAL, TYPE_NODES };

enum { FILTER_ARGS_MAX = 2 };

enum filter_function {
	FUNCTION_LENGTH,
	FUNCTION_COUNT,
	FUNCTION_MATCH,
	FUNCTION_SEARCH,
	FUNCTION_VALUE,
};

struct filter {
	enum filter_kind kind;
	enum filter_compare compare;
	enum filter_function function;
	const struct filter *args[FILTER_ARGS_MAX]; /* arguments or operands */
	struct query query;
	const struct json *literal;
	struct str text; /* of a literal that is a text; else absent */
	/* of match and search, if the pattern is literal */
	const struct regex *regex;
};

struct jsonpath {
	struct query query;
	const struct filter *condition; /* NULL: the path is no condition */
	struct regex **regexes;
	size_t n_regexes;
};
