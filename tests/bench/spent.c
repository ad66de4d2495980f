/*
 * What a command takes: spent [-o FILE] COMMAND [ARG...]. Prints how many
 * microseconds of the processor it took, and its peak memory in KiB; its output
 * goes to FILE, or is dropped. Ends as the command did; above 128, by a signal.
 * A process tells its peak from what it was forked of on, so it is forked of
 * one that has next to nothing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long
microseconds(struct timeval t)
{
	return t.tv_sec * 1000000 + t.tv_usec;
}

static void
run(char **command, const char *output)
{
	int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0)
		execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

int
main(int argc, char **argv)
{
	const char *output = "/dev/null";
	struct rusage used;
	int status;
	pid_t pid;

	if (argc > 3 && strcmp(argv[1], "-o") == 0) {
		output = argv[2];
		argv += 2;
	}
	if (argc < 2) {
		fputs("usage: spent [-o FILE] COMMAND [ARG...]\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0)
		run(argv + 1, output);
	if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
		perror("spent");
		return 2;
	}
	printf("%ld %ld\n",
	    microseconds(used.ru_utime) + microseconds(used.ru_stime),
	    used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
