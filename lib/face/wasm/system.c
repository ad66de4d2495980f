/* The functions of a system that WASI lacks, and the modules of lib/io that need processes,
 * signals or a terminal. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/interrupt.h"
#include "io/proc.h"
#include "io/sandbox.h"
#include "io/terminal.h"

static int
refuse(void)
{
	errno = ENOSYS;
	return -1;
}

/* A newer C library has some of these functions, which then are as good. */
#pragma clang attribute push(__attribute__((weak)), apply_to = function)

int
dup2(int from, int to)
{
	(void)from;
	(void)to;
	return refuse();
}

int
pipe2(int ends[2], int flags)
{
	(void)ends;
	(void)flags;
	return refuse();
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	(void)pid;
	(void)status;
	(void)options;
	return refuse();
}

int
mkstemp(char *path)
{
	static unsigned number;
	size_t n = strlen(path) - 6; /* of XXXXXX */

	for (;;) {
		int fd;

		snprintf(path + n, 7, "%06u", number++);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
}

int
fchmod(int fd, mode_t mode)
{
	(void)fd;
	(void)mode;
	return 0;
}

int
madvise(void *at, size_t n, int advice)
{
	(void)at;
	(void)n;
	(void)advice;
	return 0;
}

void
tzset(void)
{
}

int
sigemptyset(sigset_t *set)
{
	(void)set;
	return 0;
}

int
sigaddset(sigset_t *set, int number)
{
	(void)set;
	(void)number;
	return 0;
}

/* ---- processes and threads ---- */

int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
    void *(*work)(void *), void *arg)
{
	(void)thread;
	(void)attributes;
	(void)work;
	(void)arg;
	return ENOSYS;
}

int
pthread_join(pthread_t thread, void **result)
{
	(void)thread;
	(void)result;
	return ENOSYS;
}

void
proc_start(struct proc *p)
{
	p->failed = ENOSYS;
}

struct proc *
proc_next(struct proc *const *started, size_t n, double seconds, int fd)
{
	(void)seconds;
	(void)fd;
	return n == 0 ? NULL : started[0];
}

void
proc_kill(struct proc *p)
{
	(void)p;
}

void
proc_run(struct proc *p)
{
	proc_start(p);
}

bool
proc_ask(struct proc *p, struct str line, struct str *answer)
{
	(void)line;
	(void)answer;
	proc_start(p);
	return false;
}

struct str
proc_trouble(const struct proc *p)
{
	(void)p;
	return STR("no programs can be run here");
}

char **
sandbox_command(struct arena *a, const char *folder, const char *command)
{
	(void)a;
	(void)folder;
	(void)command;
	return NULL;
}

char **
sandbox_environment(struct arena *a, const char *const *named, size_t n)
{
	(void)named;
	(void)n;
	return arena_new_n(a, char *, 1);
}

void
sandbox_require(void)
{
	diag_die("--sandbox: bwrap (bubblewrap) cannot be run: %s",
	    "no programs can be run here");
}

/* ---- signals and terminals ---- */

void
interrupt_watch(void)
{
}

bool
interrupt_came(void)
{
	return false;
}

int
terminal_key(const struct terminal *t)
{
	(void)t;
	return TERMINAL_END;
}

void
terminal_size(int fd, size_t *columns, size_t *rows)
{
	(void)fd;
	*columns = *rows = SIZE_MAX;
}

#pragma clang attribute pop
