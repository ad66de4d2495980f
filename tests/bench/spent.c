/*
 * What a command takes: spent COMMAND [ARG...]. Prints the microseconds of the
 * processor that it took, and its peak memory in KiB; its output is dropped.
 * A process tells its peak from what it was forked of on, so it is forked of
 * one that has next to nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long
microseconds(struct timeval t)
{
	return t.tv_sec * 1000000 + t.tv_usec;
}

static void
run(char **command)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

int
main(int argc, char **argv)
{
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: spent COMMAND [ARG...]\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0)
		run(argv + 1);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
		perror("spent");
		return 2;
	}
	printf("%ld %ld\n",
	    microseconds(used.ru_utime) + microseconds(used.ru_stime),
	    used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
