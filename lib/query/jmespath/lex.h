/* JMESPath's tokens, one at a time. Internal to jmespath. */
#pragma once

#include "query/jmespath/tree.h"

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
	/* every other token is its character */
};

/* The first mistake is kept; from then on every token is T_BAD. */
struct jmespath_lexer {
	struct arena *arena;
	struct str text;
	size_t at;     /* behind the token */
	size_t offset; /* where the token begins */
	int token;
	struct str name;            /* T_NAME, T_QUOTED */
	const struct json *literal; /* T_LITERAL */
	int64_t number;             /* T_NUMBER */
	int depth, nodes;           /* of the parser */
	struct jmespath_error *error;
	bool failed;
};

/* Reads the next token. */
void jmespath_advance(struct jmespath_lexer *);
/* Steps over the token if it is this one. */
bool jmespath_accept(struct jmespath_lexer *, int token);
/* The same where it must be this one; else it is a mistake, for that reason. */
void jmespath_expect(struct jmespath_lexer *, int token, const char *why);
void jmespath_fail_at(struct jmespath_lexer *, size_t offset, const char *why);
