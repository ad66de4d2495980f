/*
 * A person who answers by single keys at a terminal, or by bytes from a pipe.
 * While terminal_key waits, the terminal echoes nothing and hands out each key at
 * once, and the signals that end or stop a program wait until its modes are
 * restored. No other call changes the modes, so that a program may end anywhere.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct terminal {
	int fd;      /* set by the caller; need not be a terminal */
	int size_fd; /* set by the caller: the terminal whose size counts */
};

enum { /* in place of a key */
	TERMINAL_END = -1,
	TERMINAL_REDRAW = -2, /* the size changed, or the program was stopped */
	TERMINAL_INTERRUPTED = -3, /* see io/interrupt.h */
};

/* Waits for a key. Returns its byte, 0 for a key that is a sequence of bytes, as
 * arrows are, or one of the constants above. */
int terminal_key(const struct terminal *);

/* Stores the cells of a line and the lines of the terminal, or those that the
 * variables COLUMNS and LINES give; of a file or pipe, any number (SIZE_MAX). */
void terminal_size(int fd, size_t *columns, size_t *rows);
