/*
 * Commands that a runner of GitHub Actions obeys where a step prints them: a line
 * that begins, after blanks, with "::", or that has "##[" anywhere. What follows
 * may set outputs, hide text and end the obedience to later commands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a scan; zeroed at the beginning of a line. */
struct workflow_command {
	bool inside; /* the line has more than blanks */
	unsigned char colons, hashes;
	uint32_t character; /* that the last bytes form, if it is not ASCII */
};

/* Takes the next byte of an output. Returns whether the byte would open a
 * command; if so, the caller writes an escape in place of the byte. */
bool workflow_command_opens(struct workflow_command *, unsigned char byte);

/* Returns the number of bytes at the front of the text that need not be taken,
 * since they neither open a command nor change the state. */
size_t workflow_command_skip(
    const struct workflow_command *, const char *text, size_t n);
