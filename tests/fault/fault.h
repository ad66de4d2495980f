/*
 * Decides which call fails. Three libraries that are preloaded together replace the
 * calls of the system: fault.c those for memory and bytes, names.c those that take a
 * path, programs.c those for programs, threads and the network. Each replacement asks
 * a function below first. fault.c is the last of the libraries in LD_PRELOAD.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the call fails now; if so, sets errno to the error. */
bool fault_hits(const char *call, int error);
/* Like fault_hits, but for a call that waits and may be interrupted. */
bool fault_interrupts(const char *call, int error);
/* Returns whether the kernel is to lack the calls that were added since 2018; if so,
 * sets errno to ENOSYS. */
bool fault_is_old(void);
/* Returns how many of n bytes a read or write moves. */
size_t fault_moves(const char *call, size_t n);
/* Sets a pointer to a function to the next function of the name after the library of
 * fault.c, which is the function of the system. */
void fault_next(void *function, const char *name);
