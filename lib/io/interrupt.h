/*
 * A request to end (SIGINT, SIGTERM) as a flag, so that a command can finish
 * its work first. The next such signal ends the command at once. The flag is
 * state outside the callers' structs (see base/diag.h): a signal handler has no
 * argument from the caller.
 */
#pragma once

#include <stdbool.h>

/* Begins to watch for the signals. A signal that the parent process made this
 * process ignore stays ignored. */
void interrupt_watch(void);

/* Returns whether a signal came. */
bool interrupt_came(void);
