/*
 * A place where a command of somebody else's can do little: bubblewrap shows it
 * the file system, read-only but for the folder where it runs and an empty
 * /tmp, without network, other processes, or rights.
 */
#pragma once

#include "base/arena.h"

/* The arguments, NULL at their end, that run the shell's command in this folder
 * so; NULL: in none. In the arena, as are the texts that they hold. */
char **sandbox_command(struct arena *, const char *folder, const char *command);

/* Ends the program if no such place can be made here: bubblewrap is not
 * installed, or the kernel does not let it. */
void sandbox_require(void);
