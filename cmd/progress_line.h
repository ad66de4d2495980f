/* A progress line on standard error: parts of text, of which a narrow terminal shows
 * the most important ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PROGRESS_PARTS = 8, PROGRESS_PART_MAX = 40 }; /* parts; bytes of one */

struct progress_line {
	char text[PROGRESS_PARTS][PROGRESS_PART_MAX]; /* ASCII; "": none */
};

/* Returns whether a line is shown: standard error is a terminal that is not dumb, and
 * the output, open as `out`, is no terminal. */
bool progress_line_wanted(int out);

/* Sets the text to the time that is left. */
void progress_line_time(char text[PROGRESS_PART_MAX], double seconds);

/* Shows the line. If the terminal is too narrow, the n parts of `order` are left out,
 * the first one first. */
void progress_line_show(struct progress_line *, const int order[], size_t n);
