/*
 * Scripts: the expressions of jsonpath-plus's filters `[?(...)]` and computed
 * names `[(...)]`. They are evaluated with JavaScript's operators, coercions
 * and methods. Where JavaScript would throw an exception (a member of
 * undefined, a method that the value lacks), the result is undefined.
 */
#pragma once

#include "emulate/jsonpath/script_value.h"
#include "emulate/jsonpath/tree.h"

struct path_parser;

enum {
	SCRIPT_SIZE_MAX = 2000, /* expressions in a script */
	SCRIPT_VARIABLES_MAX = 8,
};

enum script_kind {
	SCRIPT_VALUE,
	SCRIPT_LIST,    /* of args */
	SCRIPT_CONTEXT, /* `@`, `@parent` and the like */
	SCRIPT_VARIABLE,
	SCRIPT_ASSIGN,
	SCRIPT_UNARY,
	SCRIPT_BINARY,
	SCRIPT_CONDITION,
	SCRIPT_MEMBER,   /* .name */
	SCRIPT_COMPUTED, /* [expression] */
	SCRIPT_CALL,     /* of a method on args[0], with the other args */
	SCRIPT_SEQUENCE, /* its value is that of the last of args */
};

enum script_context {
	CONTEXT_THIS,
	CONTEXT_PROPERTY,
	CONTEXT_PARENT,
	CONTEXT_PARENT_PROPERTY,
	CONTEXT_ROOT,
	CONTEXT_PATH,
};

enum script_operator {
	OP_OR,
	OP_AND,
	OP_BIT_OR,
	OP_BIT_XOR,
	OP_BIT_AND,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_SAME,
	OP_NOT_SAME,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_SHIFT_LEFT,
	OP_SHIFT_RIGHT,
	OP_SHIFT_UNSIGNED,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	/* unary operators */
	OP_MINUS,
	OP_PLUS,
	OP_NOT,
	OP_BIT_NOT,
	OP_TYPEOF,
};

struct script {
	enum script_kind kind;
	enum script_context context;
	enum script_operator op;
	struct value value;
	struct str name;
	size_t variable;
	const struct method *method;
	const struct script **args;
	size_t n;
};

/* A method. It can be called on any value, and returns undefined if values of
 * that type have no such method. */
struct method {
	const char *name;
	struct value (*call)(struct path_run *, const struct value *self,
	    const struct value *args, size_t n);
};

const struct method *jsonpath_method(struct str name);

/* The methods that search for patterns. */
struct value jsonpath_pattern_match(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_search(struct path_run *,
    const struct value *self, const struct value *args, size_t n);
struct value jsonpath_pattern_exec(struct path_run *, const struct value *self,
    const struct value *args, size_t n);
struct value jsonpath_pattern_test(struct path_run *, const struct value *self,
    const struct value *args, size_t n);

/* Parses a script that ends where the parser's text ends; returns NULL if it is
 * not valid. */
const struct script *jsonpath_parse_script(struct path_parser *);

/* Returns whether the script is true of the node. */
bool jsonpath_script_test(
    struct path_run *, const struct script *, const struct path_node *);

/* Returns the value of a script that names a property of the node. */
struct value jsonpath_script_value(
    struct path_run *, const struct script *, const struct path_node *);
