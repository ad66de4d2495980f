#include "io/keeper.h"

#include <signal.h>

#ifdef __linux__

#include <fcntl.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum {
	LIST = 4096, /* bytes of the list of children that are read at once */
	MOMENT_NS = 10 * 1000 * 1000,
	GIVE_UP = 2, /* seconds, with processes that do not die */
};

/* Kills the processes of a list of numbers, each of which a blank follows. A
 * child keeps its number until the keeper has reaped the child. */
static void
kill_listed(const char *list, ssize_t n)
{
	pid_t pid = 0;

	for (ssize_t i = 0; i < n; i++) {
		if (list[i] >= '0' && list[i] <= '9') {
			pid = pid * 10 + (list[i] - '0');
			continue;
		}
		if (pid > 0)
			kill(pid, SIGKILL);
		pid = 0;
	}
}

/* Kills the keeper's children. Returns false if they cannot be listed. */
static bool
kill_children(void)
{
	char list[LIST];
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, list, sizeof list);
	close(fd);
	kill_listed(list, n);
	return n > 0;
}

/* Kills all descendants. The children of each that dies become the keeper's. */
static void
kill_descendants(void)
{
	const struct timespec moment = { .tv_nsec = MOMENT_NS };
	double until = clock_now() + GIVE_UP;
	sigset_t child;
	pid_t reaped;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	do {
		while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0)
			continue;
		if (reaped < 0 || !kill_children())
			return;
		sigtimedwait(&child, NULL, &moment);
	} while (clock_now() < until);
}

/* Returns whether the program has ended, and reaps other children that have. */
static bool
has_ended(pid_t program)
{
	siginfo_t ended = { 0 };

	while (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    ended.si_pid != 0 && ended.si_pid != program) {
		waitpid(ended.si_pid, NULL, WNOHANG);
		ended.si_pid = 0;
	}
	return ended.si_pid == program;
}

/* Waits until the program ends, and ends it if the keeper is told to stop. The
 * program is not reaped yet: until then no other group can get its number. */
static void
await(pid_t program)
{
	const struct timespec second = { .tv_sec = 1 };
	sigset_t awaited;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGCHLD);
	sigaddset(&awaited, SIGTERM);
	while (!has_ended(program))
		if (sigtimedwait(&awaited, NULL, &second) == SIGTERM)
			kill(program, SIGKILL);
}

/* Ends this process as the program ended, without a core. */
static _Noreturn void
end_as(int status)
{
	int number = WTERMSIG(status);
	sigset_t own;

	if (WIFSIGNALED(status)) {
		prctl(PR_SET_DUMPABLE, 0);
		signal(number, SIG_DFL);
		sigemptyset(&own);
		sigaddset(&own, number);
		sigprocmask(SIG_UNBLOCK, &own, NULL);
		raise(number);
	}
	_exit(WEXITSTATUS(status));
}

static _Noreturn void
keep(pid_t program)
{
	int status = 0;

	await(program);
	kill(-program, SIGKILL);
	while (waitpid(program, &status, 0) < 0)
		continue;
	kill_descendants();
	end_as(status);
}

int
keeper_fork(int open)
{
	sigset_t all;
	pid_t program;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	program = fork();
	if (program < 0)
		return -1;
	if (program == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		return 0;
	}
	while (open-- > 0)
		close(open);
	keep(program);
}

void
keeper_stop(pid_t keeper)
{
	kill(keeper, SIGTERM);
}

#else

int
keeper_fork(int open)
{
	(void)open;
	return 0;
}

void
keeper_stop(pid_t program)
{
	kill(-program, SIGKILL);
}

#endif
