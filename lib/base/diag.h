/*
 * Messages to the user, all of the form
 *	prog: file:line:column: where: what was expected, what was found
 * in lower case, without a full stop, with the author's own words for names.
 * The only state of the library outside its callers' structs is kept here:
 * the program's name, what was said, and how bad it was; and, of each thread,
 * where it keeps its messages until it is their turn.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A place in an input. Lines and columns (in bytes) count from 1. */
struct place {
	const char *file; /* NULL: no file to name */
	size_t line;      /* 0: the file as a whole */
	size_t column;    /* 0: the line as a whole */
};

/* Sets the name that opens each message: the last part of argv[0]'s path. */
void diag_init(const char *argv0);

/* No warnings from now on; errors are still told. */
void diag_quiet(void);

/*
 * Also writes each message to the file, as one JSON object a line: {"level",
 * "file", "line", "column", "message"}. False, with errno, if it cannot.
 */
bool diag_also_to(const char *path);

/* Shows a line on the terminal that standard error is, in place of the one
 * shown before and until the next message; NULL: none. Nothing after
 * diag_quiet. */
void diag_show(const char *line);

/* Something in the input is wrong: told, counted, and the work goes on. */
void diag_error(struct place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Something the user may want to know; it changes no exit status. */
void diag_warn(struct place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The world is in the way (no memory, cannot open, cannot write): told, and
 * the program ends with status 2. A format that ends in a colon is completed
 * with the text of errno.
 */
_Noreturn void diag_die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* The same without ending the program: counts as an error. */
void diag_trouble(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Whether errno says that the system has no more to give, or fails, whatever
 * was asked of it: then nothing may be concluded about what was asked for. */
bool diag_exhausted(int error);

/* The messages of a thread that were not told yet. Zeroed is empty. */
struct diag_log {
	struct diag_message *first, *last;
	size_t errors; /* among them */
	/* Called by a thread that cannot keep a message, or ends the program:
	 * returns when its messages are the next to be told. */
	void (*turn)(void *);
	void *arg;
};

/* From now on this thread's messages are kept there. NULL: they are told at
 * once, as they are at first. */
void diag_keep(struct diag_log *);

/* Tells what was kept, in its order, and forgets it. One thread at a time. */
void diag_print(struct diag_log *);
/* Forgets it untold. */
void diag_forget(struct diag_log *);

/* How many errors were told. */
size_t diag_errors(void);

/* The exit status: 2 if an error was told, else the given one. */
int diag_status(int otherwise);
