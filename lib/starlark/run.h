/* What runs a syntax tree. Only the files of starlark/ include this header. */
#pragma once

#include "starlark/parser.h"

enum starlark_stop {
	STOP_NOT,
	STOP_UNREAD, /* the statement cannot be read */
	STOP_REFUSED,
	STOP_RETURN,
	STOP_BREAK,
	STOP_CONTINUE,
};

struct starlark_scope {
	struct hash_table names; /* to values */
	struct starlark_scope *up;
};

/* A value that can be called: of the file, of the caller, or of Starlark. */
struct starlark_callee {
	const struct starlark_node *def;          /* or NULL */
	struct starlark_scope *scope;             /* in which the def stands */
	const struct starlark_function *function; /* or NULL */
	struct str builtin;                       /* or the name of a method: */
	struct starlark_value self;
};

struct starlark_run {
	enum starlark_stop stop;
	struct place unread_at;
	struct str unread_why;
	struct starlark_value returned;
	struct starlark_scope *scope;
	size_t spent;   /* of STARLARK_BUDGET */
	unsigned depth; /* of evaluations */
	unsigned defs;  /* that are being run */
	bool exhausted;
};

enum {
	STARLARK_BUDGET = 4 << 20, /* steps, and bytes of what they make */
	STARLARK_NESTED = 400,     /* evaluations in each other */
};

/* A call's arguments. */
struct starlark_arguments {
	struct starlark_value *values;
	struct str *names; /* absent: by position */
	size_t n;
};

/* Spends some of the budget. Returns false if there is none left; the statement is
 * unread then. */
bool starlark_spend(struct starlark *, size_t, struct place);

/* Stops the statement since this reader lacks what the node needs. The result is an
 * unread value. */
struct starlark_value starlark_unread(
    struct starlark *, struct place, struct str why);
/* Refuses the file. The result is an unread value. */
struct starlark_value starlark_mistake(struct starlark *, struct place,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

static inline bool
starlark_stopped(const struct starlark *s)
{
	return s->run->stop != STOP_NOT;
}

/* Returns the value of an expression; unread if that stops the run. */
struct starlark_value starlark_eval(
    struct starlark *, const struct starlark_node *);

/* Returns the list of what a loop over the expression's value goes through. */
struct starlark_value starlark_items(
    struct starlark *, const struct starlark_node *);

/* Assigns to a name, an item, or a tuple of these. */
void starlark_assign(struct starlark *, const struct starlark_node *target,
    struct starlark_value);
void starlark_define(struct starlark *, struct str name, struct starlark_value);

/* Runs a block or another statement. */
void starlark_exec(struct starlark *, const struct starlark_node *);

/* Calls a function. */
struct starlark_value starlark_call(struct starlark *,
    const struct starlark_callee *, const struct starlark_arguments *,
    struct place);
/* Calls a builtin or a method. */
struct starlark_value starlark_builtin(struct starlark *,
    const struct starlark_callee *, const struct starlark_arguments *,
    struct place);

/* Returns the operator's value. */
struct starlark_value starlark_operate(struct starlark *, struct str sign,
    struct starlark_value, struct starlark_value, struct place);

/* Return values. A list's items are not copied. */
struct starlark_value starlark_of_bool(bool);
struct starlark_value starlark_of_int(int64_t);
struct starlark_value starlark_of_text(struct str);
struct starlark_value starlark_of_list(struct starlark *, enum starlark_type,
    struct starlark_value *items, size_t n);

bool starlark_truth(const struct starlark_value *);
/* Returns whether values are equal. Too deep lists stop the run. */
bool starlark_equal(struct starlark *, const struct starlark_value *,
    const struct starlark_value *, struct place);
/* Returns the value's place in a dict, or NULL. */
struct starlark_value *starlark_find(struct starlark *,
    const struct starlark_list *dict, const struct starlark_value *key,
    struct place);
/* Returns the value as str() gives it, or with `quoted` as repr() does. */
struct str starlark_show(struct starlark *, const struct starlark_value *,
    bool quoted, struct place);
/* Returns the format with each %s and its kin replaced by an item. */
struct starlark_value starlark_percent(
    struct starlark *, struct str format, struct starlark_value, struct place);
