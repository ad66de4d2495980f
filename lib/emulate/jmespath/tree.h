/* The syntax tree that JMESPath's parser returns, and the values and functions
 * of its evaluator. Internal to jmespath. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "emulate/jmespath/jmespath.h"

enum jmespath_type {
	JP_CURRENT, /* @, and the end of a projection */
	JP_FIELD,   /* name */
	JP_LITERAL, /* literal */
	JP_INDEX,   /* left, number */
	JP_SLICE,   /* left, slice */
	JP_SUB,     /* left . right, and left | right */
	JP_FLATTEN, /* left [] */
	JP_PROJECT, /* left [*] right */
	JP_VALUES,  /* left * right */
	JP_FILTER,  /* left [? args[0]] right */
	JP_OR,
	JP_AND,
	JP_NOT,     /* left */
	JP_COMPARE, /* left, compare, right */
	JP_LIST,    /* [args] */
	JP_HASH,    /* {names: args} */
	JP_CALL,    /* name(args) */
	JP_REF,     /* &left */
};

enum jmespath_compare { JP_EQ, JP_NE, JP_LT, JP_LE, JP_GT, JP_GE };

struct jmespath_node {
	enum jmespath_type type;
	size_t offset; /* of the node in the expression */
	struct jmespath_node *left, *right;
	struct jmespath_node **args;
	struct str *names;
	size_t nargs;
	struct str name;
	const struct json *literal;
	enum jmespath_compare compare;
	int64_t number;
	struct {
		int64_t value;
		bool given;
	} slice[3]; /* start, stop, step */
};

struct jmespath {
	const struct jmespath_node *root;
};

/*
 * A value during the evaluation: a value of the document, or a list, object or
 * expression that the evaluator created. A list's items have no key.
 */
struct jmespath_value {
	const struct json *json; /* NULL: created by the evaluator */
	enum json_type type;     /* if created: JSON_ARRAY or JSON_OBJECT */
	struct jmespath_item *items;
	size_t n;
	const struct jmespath_node *ref; /* &expression */
};

struct jmespath_item {
	struct str key;
	const struct jmespath_value *value;
};

struct jmespath_run {
	struct arena *arena;
	struct jmespath_error error;
	bool failed;
	size_t work; /* steps left */
};

/* Returns the value of the expression on `at`; never NULL: after an error, JSON
 * null. */
const struct jmespath_value *jmespath_eval(struct jmespath_run *,
    const struct jmespath_node *, const struct jmespath_value *at);

const struct jmespath_value *jmespath_fail(
    struct jmespath_run *, const struct jmespath_node *, const char *why);

/* Returns the type as JSON names it; JSON_TRUE for both booleans, 0 for
 * &expression. */
int jmespath_type(const struct jmespath_value *);
bool jmespath_truth(const struct jmespath_value *);
bool jmespath_equal(struct jmespath_run *, const struct jmespath_value *,
    const struct jmespath_value *);

/* Returns the value with its items in an array (if it is a list or object; else
 * none). */
struct jmespath_value jmespath_open(
    struct jmespath_run *, const struct jmespath_value *);

const struct jmespath_value *jmespath_of(
    struct jmespath_run *, const struct json *);
const struct jmespath_value *jmespath_null(struct jmespath_run *);
const struct jmespath_value *jmespath_bool(struct jmespath_run *, bool);
const struct jmespath_value *jmespath_number(struct jmespath_run *, double);
const struct jmespath_value *jmespath_string(struct jmespath_run *, struct str);
/* Returns a list of n items, which live in the arena. */
const struct jmespath_value *jmespath_list(
    struct jmespath_run *, struct jmespath_item *, size_t n);
/* Returns the whole value as JSON, as Go's json.Marshal writes it: keys sorted,
 * `<`, `>` and `&` escaped, numbers by their value. */
struct str jmespath_marshal(
    struct jmespath_run *, const struct jmespath_value *);
const struct json *jmespath_json(
    struct jmespath_run *, const struct jmespath_value *);

/* Calls the node's function with its evaluated arguments. */
const struct jmespath_value *jmespath_call(struct jmespath_run *,
    const struct jmespath_node *, const struct jmespath_value **args);
