/*
 * Runs a file of Starlark, as Codex's rules are written in it, with functions of the
 * caller: strings, numbers, lists and tuples, their operators, comprehensions,
 * variables, for, if, def and calls.
 *
 * What starlark-rust refuses is refused. A statement that starlark-rust runs and this
 * module does not (dicts, lambda, methods, all functions but len) is left out and
 * reported; the others are run, and what depends on it is unread, too. Work and memory
 * are bounded: a file that needs more is unread from there on.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"

enum starlark_type {
	STARLARK_ABSENT, /* an argument that the call leaves out */
	STARLARK_UNREAD, /* depends on what is not read */
	STARLARK_NONE,
	STARLARK_BOOL,
	STARLARK_INT,
	STARLARK_STRING,
	STARLARK_LIST,
	STARLARK_TUPLE,
	STARLARK_FUNCTION,
};

struct starlark_value {
	enum starlark_type type;
	union {
		int64_t number; /* BOOL: 0 or 1 */
		struct str text;
		struct starlark_list *list;
		const struct sl_callee *function;
	};
};

struct starlark_list {
	struct starlark_value *items;
	size_t n;
	unsigned loops; /* that go through the list */
	bool changed;   /* maybe, by a statement that is not read */
};

struct starlark;

/* A function that the file can call. */
struct starlark_function {
	const char *name;
	const char *parameters; /* names with a blank between them */
	size_t required;        /* how many of them a call must have */
	/* Gets an argument for each parameter. */
	void (*call)(
	    struct starlark *, const struct starlark_value *args, struct place);
};

enum { STARLARK_PARAMETERS = 8 }; /* of a function, at most */

struct starlark {
	struct arena *arena; /* in which values live */
	const char *file;
	struct str text; /* of the file; values have slices of it */
	const struct starlark_function
	    *functions; /* ended by one without a name */
	/* Is told of each statement that is not read. */
	void (*unread)(struct starlark *, struct place, struct str why);
	void *arg; /* of the caller */

	/* The reason for which the file is refused, and the place. */
	struct str wrong;
	struct place wrong_at;

	struct sl_run *run; /* private */
};

/* Runs the file. Returns false if the file is refused: a mistake in the syntax, a name
 * that is not defined, a type that does not fit, or starlark_refuse. */
bool starlark_run(struct starlark *);

/* Refuses the file; called by a function of the caller. Only the first call counts. */
void starlark_refuse(struct starlark *, struct place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the type of a value with an article: "a string". */
const char *starlark_type_name(const struct starlark_value *);
