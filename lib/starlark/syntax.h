/* Tokens and syntax trees. Only the files of starlark/ include this header. */
#pragma once

#include "base/hash.h"
#include "starlark/starlark.h"

/* The kinds of nodes, with their children. */
enum sl_kind {
	SL_NAME,
	SL_STRING,
	SL_INT,
	SL_FORMATTED, /* f"...": strings and expressions */
	SL_LIST,
	SL_TUPLE,
	SL_COMPREHENSION, /* a block: loops with an SL_ITEM in the innermost */
	SL_CONDITION,     /* condition, then, else */
	SL_UNARY,
	SL_BINARY,
	SL_CALL,     /* function, arguments */
	SL_ARGUMENT, /* value; the name is absent by position */
	SL_SLICE,    /* value, index; or value, from, to */
	SL_ABSENT,   /* an end of a slice */
	SL_OTHER,    /* is not run; the text says what it is */
	/* statements */
	SL_BLOCK,
	SL_ITEM,      /* is added to the comprehension's list */
	SL_ASSIGN,    /* target, value; the text is the operator */
	SL_FOR,       /* target, iterable, block */
	SL_IF,        /* condition, block; else may follow */
	SL_DEF,       /* parameters, block */
	SL_PARAMETER, /* a default may be its child */
	SL_RETURN,
	SL_JUMP, /* break, continue, pass */
};

/* The names that Starlark itself defines. */
#define SL_BUILTINS \
	"None True False abs any all bool chr dict dir enumerate fail float " \
	"getattr hasattr hash int len list max min ord range repr reversed " \
	"set " \
	"sorted str tuple type zip"

struct sl_node {
	enum sl_kind kind;
	struct place place;
	struct str text;                     /* a name, sign or value */
	struct sl_node *first, *last, *next; /* children; sibling */
	bool reported;                       /* as unread */
};

enum sl_token_kind {
	SL_END,
	SL_NEWLINE,
	SL_INDENT,
	SL_DEDENT,
	SL_WORD,
	SL_KEYWORD,
	SL_NUMBER,
	SL_QUOTED,
	SL_SIGN,
};

enum {
	SL_DEPTH = 100,  /* of brackets and blocks in each other */
	SL_LEVELS = 100, /* of indentation */
};

struct sl_parser {
	struct starlark *s;
	struct str text; /* up to where tokens are read */
	size_t at;       /* behind the token: */
	enum sl_token_kind kind;
	struct str token;
	struct place place;
	bool line_begins;
	size_t brackets, depth;
	size_t indents[SL_LEVELS], nindents, dedents;
	size_t line, line_start, counted; /* lines before `counted` */
	bool in_def, in_loop;
	struct hash_table bound; /* the names that the file binds */
	struct sl_node **names;  /* those that it reads */
	size_t nnames;
};

/* Goes to the next token. Behind a mistake there are none. */
void sl_advance(struct sl_parser *);
/* Refuses the file, and ends it: at a place, or since the token is not expected. */
void sl_wrong(struct sl_parser *, struct place, const char *why);
void sl_expected(struct sl_parser *, const char *what);

/* Returns whether the token is this keyword or sign. */
bool sl_is(const struct sl_parser *, const char *word);
/* Returns the same, and goes to the next token then. */
bool sl_take(struct sl_parser *, const char *word);
void sl_expect(struct sl_parser *, const char *word);

/* Returns a node at the token. */
struct sl_node *sl_node(struct sl_parser *, enum sl_kind);
void sl_add(struct sl_node *parent, struct sl_node *child);
/* Parses an expression. */
struct sl_node *sl_test(struct sl_parser *);
/* Parses the token's string, formatted strings included. */
struct sl_node *sl_string(struct sl_parser *);

/* Parses the statements of the file. Returns NULL if it is refused. */
struct sl_node *sl_parse(struct starlark *);
