/*
 * Messages to the user, all of the form prog: file:line:column: where: what was
 * expected, what was found in lower case, without a full stop, with the
 * author's own words for names. Apart from the flag of io/interrupt.h and the
 * choice of json/kernel.h, this module has the only state of the library
 * outside its callers' structs: the program's name, the options below, and the
 * number of errors; and for each thread the log that keeps its messages until
 * their turn comes, and the place that diag_die jumps to.
 */
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* A place in an input. Lines and columns (in bytes) count from 1. */
struct place {
	const char *file; /* NULL: no file to name */
	size_t line;      /* 0: the file as a whole */
	size_t column;    /* 0: the line as a whole */
};

/* Sets the name that opens each message to the last part of argv[0]'s path. */
void diag_init(const char *argv0);

/* Suppresses all later warnings. Errors are still printed. */
void diag_quiet(void);

/*
 * Makes all later messages also go to the file, as one JSON object a line:
 * {"level", "file", "line", "column", "message"}. Returns false, with errno, if
 * the file cannot be opened.
 */
bool diag_also_to(const char *path);

/* Shows a status line on standard error, which must be a terminal. The line
 * replaces the status line before and disappears with the next message. NULL
 * removes the line. Does nothing after diag_quiet. Any thread may call this. */
void diag_show(const char *line);

/* Prints a message about a mistake in the input, and counts an error. The
 * caller continues. */
void diag_error(struct place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a warning, which does not change the exit status. */
void diag_warn(struct place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a message that is an answer of the program: also after diag_quiet, and without
 * changing the exit status. */
void diag_say(struct place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints a message about a failure of the system (no memory, cannot open,
 * cannot write), and ends the program with status 2. In all functions here a
 * format that ends in a colon is completed with the text of errno.
 */
_Noreturn void diag_die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/*
 * Makes diag_die of this thread print or keep its message and then jump to the place,
 * from where it returns 1, in place of ending the program: for a library, whose caller
 * goes on. NULL: diag_die ends the program, as at first. What was allocated on the way
 * and stands in no arena of the caller is lost. Returns the place before, or NULL.
 */
jmp_buf *diag_catch(jmp_buf *);

/*
 * Locks a mutex for work in which memory may end; one such mutex at a time. A thread that
 * ends the program waits until the threads before it have printed theirs, and these may
 * wait for the mutex: diag_die unlocks the mutex first. So what the mutex guards must be
 * of use to another thread whenever memory is asked for.
 */
void diag_lock(pthread_mutex_t *);
void diag_unlock(pthread_mutex_t *);

/* Like diag_die, but only counts an error and returns. */
void diag_system_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Returns whether this errno means that the system lacks a resource or fails,
 * whatever the call was. Such a failure permits no conclusion about the file or
 * program that the call named. */
bool diag_exhausted(int error);

/* The messages of a thread that are not printed yet. A zeroed log is empty. */
struct diag_log {
	struct diag_message *first, *last;
	size_t errors; /* among them */
	/* A thread that has no memory for a message, or that ends the program,
	 * calls turn(arg), which returns when it is the turn of its
	 * messages. */
	void (*turn)(void *);
	void *arg;
};

/* Makes this thread's later messages go to the log. With NULL they are printed
 * at once, as at first. Returns the log before, or NULL. */
struct diag_log *diag_keep(struct diag_log *);

/* Prints the messages of the log in their order, and empties the log. Only one
 * thread at a time may call this function. */
void diag_print(struct diag_log *);
/* Empties the log without printing. */
void diag_forget(struct diag_log *);
/* Like diag_forget, but calls take(arg) with each message before. */
void diag_take(struct diag_log *,
    void (*take)(void *arg, bool error, struct place, const char *text),
    void *arg);

/* Returns the number of errors that were printed, and of those that this thread
 * keeps. */
size_t diag_errors(void);

/* Sets the exit status of trouble in place of 2, for programs whose caller takes 2 for
 * an answer. */
void diag_set_trouble(int status);
/* Returns the exit status of trouble. */
int diag_trouble(void);

/* Returns the exit status: that of trouble if an error was printed, else
 * `otherwise`. */
int diag_status(int otherwise);
