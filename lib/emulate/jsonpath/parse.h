/*
 * Parses paths: RFC 9535's grammar, in pieces, since jsonpath-plus's paths
 * contain pieces of it. After an error all functions return false, or NULL, and
 * the parser has the reason.
 */
#pragma once

#include "emulate/jsonpath/tree.h"
#include "emulate/regex/regex.h"

struct path_parser {
	struct arena *arena;
	struct jsonpath *made; /* records what must be freed */
	struct str text;
	size_t at;      /* the offset of the next character */
	size_t filters; /* the depth of nested filters */
	size_t levels; /* the depth in the expression of the innermost filter */
	bool failed;   /* then wrong_at and why are the first error */
	size_t wrong_at;
	struct str why;
};

/* Records an error unless there was one before; returns false. */
bool jsonpath_fail(struct path_parser *, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the character at parser->at, or NUL at the end. */
char jsonpath_peek(const struct path_parser *);
/* Reads this text, if it comes next. */
bool jsonpath_take(struct path_parser *, const char *);
void jsonpath_skip_blanks(struct path_parser *);
/* Skips digits and returns their number. */
size_t jsonpath_skip_digits(struct path_parser *);

/* Parses `$` or `@` with the segments after it. */
bool jsonpath_parse_query(struct path_parser *, struct query *);
/* Parses `[...]`. */
bool jsonpath_parse_bracket(struct path_parser *, struct segment *);
/* Parses a text in single or double quotes, and decodes it. */
bool jsonpath_parse_text(struct path_parser *, struct str *);
/* Parses a logical expression, which follows `?`. */
const struct filter *jsonpath_parse_filter(struct path_parser *);

/* Records a compiled regular expression, so that jsonpath_free frees it.
 * Returns the regex, which may be NULL. */
struct regex *jsonpath_keep_regex(struct path_parser *, struct regex *);

/* Returns whether the query has only names and indices, so that it selects at
 * most one node. */
bool jsonpath_is_singular(const struct query *);
