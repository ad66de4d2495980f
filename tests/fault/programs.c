/* Replaces the calls for programs, threads, the network and facts about the system:
 * see fault.h. */
#include "fault.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The functions replace those of the system, which have the same names.
 * NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
 * NOLINTBEGIN(readability-function-size) */

/* ---- programs ---- */

pid_t
fork(void)
{
	pid_t (*real)(void);

	fault_next(&real, "fork");
	return fault_hits("fork", EAGAIN) ? -1 : real();
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	pid_t (*real)(pid_t, int *, int);

	fault_next(&real, "waitpid");
	return fault_interrupts("waitpid", ECHILD) ? -1
						   : real(pid, status, options);
}

int
poll(struct pollfd *list, nfds_t n, int ms)
{
	int (*real)(struct pollfd *, nfds_t, int);

	fault_next(&real, "poll");
	return fault_interrupts("poll", ENOMEM) ? -1 : real(list, n, ms);
}

int
waitid(idtype_t what, id_t id, siginfo_t *info, int options)
{
	int (*real)(idtype_t, id_t, siginfo_t *, int);

	fault_next(&real, "waitid");
	return fault_hits("waitid", ECHILD) ? -1
					    : real(what, id, info, options);
}

int
nanosleep(const struct timespec *time, struct timespec *rest)
{
	int (*real)(const struct timespec *, struct timespec *);

	fault_next(&real, "nanosleep");
	return fault_interrupts("nanosleep", EINTR) ? -1 : real(time, rest);
}

int
chdir(const char *path)
{
	int (*real)(const char *);

	fault_next(&real, "chdir");
	return fault_hits("chdir", EIO) ? -1 : real(path);
}

int
execvp(const char *file, char *const args[])
{
	int (*real)(const char *, char *const[]);

	fault_next(&real, "execvp");
	return fault_hits("execvp", ENOMEM) ? -1 : real(file, args);
}

/* posix_spawnp and pthread_create return the error. */
int
posix_spawnp(pid_t *pid, const char *file,
    const posix_spawn_file_actions_t *files, const posix_spawnattr_t *how,
    char *const args[], char *const environment[])
{
	int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *,
	    const posix_spawnattr_t *, char *const[], char *const[]);

	fault_next(&real, "posix_spawnp");
	if (fault_hits("posix_spawnp", EAGAIN))
		return EAGAIN;
	return real(pid, file, files, how, args, environment);
}

int
pthread_create(pthread_t *thread, const pthread_attr_t *how,
    void *(*work)(void *), void *data)
{
	int (*real)(
	    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	fault_next(&real, "pthread_create");
	if (fault_hits("pthread_create", EAGAIN))
		return EAGAIN;
	return real(thread, how, work, data);
}

/* ---- the network ---- */

int
socket(int family, int kind, int protocol)
{
	int (*real)(int, int, int);

	fault_next(&real, "socket");
	return fault_hits("socket", EMFILE) ? -1 : real(family, kind, protocol);
}

int
connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t n)
{
	if (fault_hits("connect", ECONNREFUSED))
		return -1;
	return (int)syscall(SYS_connect, fd, to.__sockaddr__, n);
}

/* ---- the system ---- */

int
getentropy(void *to, size_t n)
{
	int (*real)(void *, size_t);

	fault_next(&real, "getentropy");
	return fault_hits("getentropy", EIO) ? -1 : real(to, n);
}

int
sched_getaffinity(pid_t pid, size_t n, cpu_set_t *set)
{
	int (*real)(pid_t, size_t, cpu_set_t *);

	fault_next(&real, "sched_getaffinity");
	return fault_hits("sched_getaffinity", EINVAL) ? -1 : real(pid, n, set);
}

int
fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	if (fault_hits("fcntl", EMFILE))
		return -1;
	return (int)syscall(SYS_fcntl, fd, command, value);
}

int
prctl(int option, ...)
{
	unsigned long value[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		value[i] = va_arg(args, unsigned long);
	va_end(args);
	if (fault_hits("prctl", EPERM))
		return -1;
	return (int)syscall(
	    SYS_prctl, option, value[0], value[1], value[2], value[3]);
}

/* Counts the calls that have no function of their own. The replacements in the other
 * files call this function as well. */
long
syscall(long number, ...)
{
	long (*real)(long, ...), value[6];
	bool counts = number == SYS_openat2 || number == SYS_close_range ||
	    number == SYS_landlock_create_ruleset ||
	    number == SYS_landlock_add_rule ||
	    number == SYS_landlock_restrict_self;
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		value[i] = va_arg(args, long);
	va_end(args);
	if (counts &&
	    (fault_is_old() ||
		fault_hits(
		    number == SYS_openat2 ? "openat2" : "syscall", EMFILE)))
		return -1;
	fault_next(&real, "syscall");
	return real(
	    number, value[0], value[1], value[2], value[3], value[4], value[5]);
}
/* NOLINTEND(readability-function-size)
 * NOLINTEND(readability-inconsistent-declaration-parameter-name)
 * NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming) */
