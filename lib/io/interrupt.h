/*
 * A request to end (SIGINT, SIGTERM) as a flag, so that a command can put its
 * affairs in order first. The next such signal ends it at once. With diag's,
 * the only state of the library outside its callers' structs: a signal knows
 * no caller.
 */
#pragma once

#include <stdbool.h>

/* From now on; a signal that our parent has us ignore stays ignored. */
void interrupt_watch(void);

bool interrupt_came(void);
