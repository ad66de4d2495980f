/* The names that WASI lacks, for files that are compiled as they are: included before each. The
 * functions of system.c fail with ENOSYS. */
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>

#define F_DUPFD_CLOEXEC 1030
#define TIOCGWINSZ 0x5413

/* A signal ends the program, as far as its status. */
#define raise(number) _Exit(128 + (number))

struct winsize {
	unsigned short ws_row, ws_col;
};

int dup2(int from, int to);
int fchmod(int fd, mode_t);
int madvise(void *, size_t, int advice);
int mkstemp(char *path);
int pipe2(int ends[2], int flags);
char *realpath(const char *path, char *to);
int sigaddset(sigset_t *, int number);
int sigemptyset(sigset_t *);
void tzset(void);
