/* The state in which a syntax tree runs. Only the files of starlark/ include this header. */
#pragma once

#include "starlark/syntax.h"

enum sl_stop {
	STOP_NOT,
	STOP_UNREAD, /* the statement cannot be read */
	STOP_REFUSED,
	STOP_RETURN,
	STOP_BREAK,
	STOP_CONTINUE,
};

struct sl_scope {
	struct hash_table names; /* to values */
	struct sl_scope *up;
};

/* A function: of the caller or of the file. */
struct sl_callee {
	const struct starlark_function *function; /* or NULL */
	const struct sl_node *def;                /* or NULL: */
	struct sl_scope *scope;                   /* in which the def stands */
	struct str *names;                        /* of its n parameters */
	struct starlark_value *defaults;
	size_t n;
};

struct sl_run {
	enum sl_stop stop;
	struct place unread_at;
	struct str unread_why;
	struct starlark_value returned;
	struct starlark_list *list; /* of the comprehension that runs */
	struct sl_scope *scope;
	size_t spent;    /* of SL_BUDGET */
	unsigned depth;  /* of evaluations in each other */
	unsigned within; /* defs and comprehensions that run */
	bool exhausted;
};

enum {
	SL_BUDGET = 4 << 20, /* steps, and bytes of what they make */
	SL_NESTED = 400,     /* evaluations in each other */
};

/* Spends some of the budget. Returns false if the statement stops. */
bool sl_spend(struct starlark *, size_t, struct place);
/* Stops the statement, which is left out. Returns an unread value. */
struct starlark_value sl_unread(
    struct starlark *, struct place, const char *why);

/* Return values. A list's items are not copied. */
struct starlark_value sl_of(enum starlark_type, int64_t number);
struct starlark_value sl_of_text(struct str);
struct starlark_value sl_of_list(struct starlark *, enum starlark_type,
    struct starlark_value *items, size_t n);
bool sl_is_list(const struct starlark_value *);
bool sl_truth(const struct starlark_value *);

/* Return what an operator gives, and the text that str() gives. */
struct starlark_value sl_operate(struct starlark *, struct str sign,
    const struct starlark_value *, const struct starlark_value *, struct place);
struct starlark_value sl_show(
    struct starlark *, const struct starlark_value *, struct place);
