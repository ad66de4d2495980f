/*
 * Reading a path: RFC 9535's grammar, in pieces, since jsonpath-plus's paths
 * hold pieces of it. All functions are false, or NULL, once something is
 * wrong; then the parser says what.
 */
#pragma once

#include "query/jsonpath/tree.h"
#include "regex/regex.h"

struct path_parser {
	struct arena *arena;
	struct jsonpath *made; /* what needs to be freed is noted here */
	struct str text;
	size_t at;      /* how much of the text was read */
	size_t filters; /* how deep in filters */
	size_t levels;  /* and in the expression of the innermost */
	bool failed;    /* and the first reason: */
	size_t wrong_at;
	struct str why;
};

/* Notes the error unless there was one before. */
bool jsonpath_fail(struct path_parser *, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The character at parser->at, or NUL at the end. */
char jsonpath_peek(const struct path_parser *);
/* Reads this text, if it comes next. */
bool jsonpath_take(struct path_parser *, const char *);
void jsonpath_skip_blanks(struct path_parser *);
/* Skips digits; returns how many. */
size_t jsonpath_skip_digits(struct path_parser *);

/* `$` or `@` with the segments after it. */
bool jsonpath_parse_query(struct path_parser *, struct query *);
/* `[...]` */
bool jsonpath_parse_bracket(struct path_parser *, struct segment *);
/* A text in single or double quotes, decoded. */
bool jsonpath_parse_text(struct path_parser *, struct str *);
/* A logical expression, which is what stands after `?`. */
const struct filter *jsonpath_parse_filter(struct path_parser *);

/* Keeps a compiled regular expression, to be freed with what is made. */
struct regex *jsonpath_keep_regex(struct path_parser *, struct regex *);

/* A query of names and indices alone, which selects one node at most. */
bool jsonpath_is_singular(const struct query *);
