/* JMESPath's lexer, which reads one token at a time. Internal to jmespath. */
#pragma once

#include "emulate/jmespath/tree.h"

enum token {
	T_END,
	T_NAME,    /* unquoted identifier */
	T_QUOTED,  /* quoted identifier */
	T_LITERAL, /* `json` or 'raw' */
	T_NUMBER,
	T_FILTER,  /* [? */
	T_FLATTEN, /* [] */
	T_OR,
	T_AND,
	T_EQ,
	T_NE,
	T_LE,
	T_GE,
	T_BAD,
	/* any other token is its character */
};

/* The lexer, and the parser's counters. The first error is recorded; from then
 * on every token is T_BAD. */
struct jmespath_lexer {
	struct arena *arena;
	struct str text;
	size_t at;     /* the offset behind the token */
	size_t offset; /* the offset where the token begins */
	int token;
	struct str name;            /* T_NAME, T_QUOTED */
	const struct json *literal; /* T_LITERAL */
	int64_t number;             /* T_NUMBER */
	int depth, nodes;           /* counted by the parser */
	struct jmespath_error *error;
	bool failed;
};

/* Reads the next token. */
void jmespath_advance(struct jmespath_lexer *);
/* Skips the token if it is this one; returns whether it was. */
bool jmespath_accept(struct jmespath_lexer *, int token);
/* Like jmespath_accept, but another token is an error with this reason. */
void jmespath_expect(struct jmespath_lexer *, int token, const char *why);
void jmespath_fail_at(struct jmespath_lexer *, size_t offset, const char *why);
