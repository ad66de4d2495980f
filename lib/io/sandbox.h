/*
 * A sandbox for commands that somebody else wrote. In it bubblewrap shows a
 * command the file system, read-only but for the command's folder and an empty
 * /tmp, and no network, no other processes and no capabilities.
 */
#pragma once

#include "base/arena.h"

/* Returns the arguments, NULL-terminated, that run a shell command in a sandbox
 * with this folder, or with no folder if it is NULL. The list and its texts lie
 * in the arena. */
char **sandbox_command(struct arena *, const char *folder, const char *command);

/* Returns the environment, NULL-terminated and in the arena, of a command in a
 * sandbox: PATH, HOME and LANG as they are here, TMPDIR, and n variables that the
 * user named, each as NAME, which is the one of here, or NAME=VALUE. */
char **sandbox_environment(struct arena *, const char *const *named, size_t n);

/* Ends the program with a message if no sandbox can be created: bubblewrap is
 * not installed, or the kernel does not permit it. */
void sandbox_require(void);
