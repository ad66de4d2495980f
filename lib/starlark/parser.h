/* Tokens and syntax trees. Only the files of starlark/ include this header. */
#pragma once

#include "base/hash.h"
#include "starlark/starlark.h"

enum starlark_node_kind {
	/* expressions */
	NODE_NAME,
	NODE_STRING,
	NODE_INT,
	NODE_FORMATTED, /* f"...": strings and expressions; text "r": {x!r} */
	NODE_LIST,
	NODE_TUPLE,
	NODE_DICT,               /* key, value, key, ... */
	NODE_LIST_COMPREHENSION, /* element, clauses: NODE_FOR or NODE_IF */
	NODE_DICT_COMPREHENSION, /* key, value, clauses */
	NODE_CONDITION,          /* condition, then, else */
	NODE_UNARY,
	NODE_BINARY,
	NODE_CALL,     /* function, arguments */
	NODE_ARGUMENT, /* of a name (absent: by position; "*" and "**") */
	NODE_INDEX,
	NODE_SLICE, /* value, from, to, step: NODE_ABSENT if left out */
	NODE_ABSENT,
	NODE_DOT,
	NODE_OTHER, /* is not run; the text says what it is */
	/* statements */
	NODE_BLOCK,
	NODE_ASSIGN,    /* target, value; the text is the sign */
	NODE_FOR,       /* target, iterable; of a statement: block */
	NODE_IF,        /* condition; of a statement: block, else */
	NODE_DEF,       /* parameters, block */
	NODE_PARAMETER, /* a default may be its child; "*x" is NODE_OTHER */
	NODE_RETURN,
	NODE_JUMP, /* break, continue, pass */
};

struct starlark_node {
	enum starlark_node_kind kind;
	struct place place;
	struct str text; /* a name, string or sign, without quotes */
	struct starlark_node *first, *last, *next; /* children; sibling */
	bool reported;                             /* as unread */
};

enum starlark_token_kind {
	TOKEN_END,
	TOKEN_NEWLINE,
	TOKEN_INDENT,
	TOKEN_DEDENT,
	TOKEN_NAME,
	TOKEN_KEYWORD,
	TOKEN_INT,
	TOKEN_FLOAT,
	TOKEN_STRING,
	TOKEN_SIGN,
};

struct starlark_token {
	enum starlark_token_kind kind;
	struct str text;
	struct place place;
};

enum {
	STARLARK_DEPTH = 100,  /* of brackets and blocks */
	STARLARK_LEVELS = 100, /* of indentation */
};

struct starlark_parser {
	struct starlark *s;
	struct str text; /* up to where tokens are read */
	size_t at;       /* behind the token */
	struct starlark_token now;
	bool line_begins;
	size_t brackets, depth;
	size_t indents[STARLARK_LEVELS], nindents, dedents;
	size_t line, line_start, counted; /* lines before `counted` */
	bool in_def, in_loop;
	struct hash_table bound;      /* names that the file binds */
	struct starlark_node **names; /* that it reads */
	size_t nnames;
};

/* Reads the file's first token. */
void starlark_tokens_begin(struct starlark_parser *);
/* Goes to the next token. Behind a mistake there are none. */
void starlark_advance(struct starlark_parser *);
/* Refuses the file at the token, unless that was done, and ends it. */
void starlark_expected(struct starlark_parser *, const char *what);
void starlark_wrong(struct starlark_parser *, struct place, const char *why);

/* Returns whether the token is this keyword or sign. */
bool starlark_is(const struct starlark_parser *, const char *word);
/* Returns the same, and goes to the next token then. */
bool starlark_take(struct starlark_parser *, const char *word);
void starlark_expect(struct starlark_parser *, const char *word);

/* Returns a node at the token, and one behind another. */
struct starlark_node *starlark_node(
    struct starlark_parser *, enum starlark_node_kind);
void starlark_add(struct starlark_node *parent, struct starlark_node *child);

/* Parses an expression; parts with commas between them are a tuple. */
struct starlark_node *starlark_test(struct starlark_parser *);
struct starlark_node *starlark_tests(struct starlark_parser *);
/* Parses what a loop binds. */
struct starlark_node *starlark_target(struct starlark_parser *);
/* Notes the names that the expression binds as a target. */
void starlark_bind(struct starlark_parser *, struct starlark_node *);

/* Parses the token's string, formatted strings included. */
struct starlark_node *starlark_string(struct starlark_parser *);

/* Returns whether Starlark itself defines the name. */
bool starlark_is_builtin(struct str name);

/* Parses the whole file. Returns NULL if it is refused. */
struct starlark_node *starlark_parse(struct starlark *);
