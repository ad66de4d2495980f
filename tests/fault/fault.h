/*
 * Which call it is that fails. Libraries that are preloaded together stand
 * before the system's calls, by kind: fault.c before memory and bytes, names.c
 * before those that take a path, programs.c before programs, threads and the
 * network. Each asks here first; fault.c is named last.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the call fails now; then errno is set to the error. */
bool fault_hits(const char *call, int error);
/* The same of one that waits, and so may be interrupted. */
bool fault_interrupts(const char *call, int error);
/* How much of n bytes is moved. */
size_t fault_moves(const char *call, size_t n);
/* Sets the pointer to a function to the one that ours stands before: the next
 * after fault.c's library. */
void fault_next(void *function, const char *name);
