/*
 * Programs that the author of an assertion file wrote in JavaScript or Python. An
 * interpreter of the user runs them: one process for each language and folder,
 * which gets a call a line and answers with a line each. A thread has its own
 * processes; they end with programs_close.
 *
 * A call ends after a limited time, and an interpreter has a limit of memory. If
 * the interpreter dies or does not answer, all its processes are killed, the call
 * is an error, and the next call starts another one. What a program prints is
 * dropped.
 */
#pragma once

#include "json/json.h"

enum program_language { PROGRAM_JAVASCRIPT, PROGRAM_PYTHON };

/* The user's limits. */
struct program_settings {
	bool sandbox;       /* no network, and only the folder can be written */
	char **environment; /* NAME=VALUE, ended by NULL */
	double seconds;     /* the longest time of a call */
};

struct programs;

struct program_call {
	enum program_language language;
	struct str folder; /* where it runs; empty: here */
	/* The file, absolute or in the folder, and its function; a function that is
	 * absent is the file's default: what a module of JavaScript exports, if that is
	 * a function, or the name `otherwise`. */
	struct str file, function;
	const char *otherwise;
	bool data; /* what the file has instead of a function is the answer */
	/* Instead of a file: the text of a function's body, with the names of its
	 * parameters, separated by commas. An `expression` is returned. */
	struct str code;
	const char *parameters;
	bool expression;
	struct str args; /* a JSON array: the arguments */
};

struct program_answer {
	const struct json *value; /* NULL: none, or not a JSON value */
	struct str
	    type; /* as JavaScript's typeof says; Python's None is object */
	struct str text; /* of a number that JSON has not: NaN, Infinity */
	struct str
	    error; /* the first line of what went wrong; absent: nothing did */
};

/* Returns the language of a file by its suffix (.js, .cjs, .mjs, .ts, .cts, .mts,
 * .py), or -1 if the file is no such program. */
int program_language_of(struct str path);

/* Splits FILE:FUNCTION; the function may be absent. */
void program_split(
    struct str reference, struct str *file, struct str *function);

/* Returns the programs of a thread, of which none runs yet. The settings must live
 * as long. */
struct programs *programs_open(const struct program_settings *);

/* Calls a function, and returns what it returned, with texts in the arena. */
struct program_answer program_ask(
    struct programs *, const struct program_call *, struct arena *);

/* Ends all that runs, and frees the programs, which may be NULL. */
void programs_close(struct programs *);
