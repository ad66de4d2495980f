/*
 * Pipes, and their capacity. A pipe holds 64 KiB by default, which is less than
 * one read or write of ours, so that the programs at its two ends would wait for
 * each other by turns instead of working side by side.
 */
#pragma once

#include <stdbool.h>

/* Opens a pipe whose ends are closed in programs that this one starts: ends[0]
 * is for reading, ends[1] for writing. Returns 0, or -1 with errno. */
int pipe_open(int ends[2]);

/* Raises the capacity to 512 KiB if fd is a pipe that holds less and the system
 * permits it. A larger capacity is hardly faster, and once the pipes of a user
 * hold 64 MiB in all, Linux makes new pipes small (pipe(7)). errno is kept. */
void pipe_widen(int fd);

/* Returns whether a read or a write (`events`: POLLIN, POLLOUT) is to be tried again after
 * this errno: after an interruption, and, since another program may have set a pipe that
 * both have to not block, once the pipe is ready. Waits for that. */
bool pipe_again(int fd, short events, int error);
