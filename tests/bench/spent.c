/*
 * Measures a command: spent [-o FILE] COMMAND [ARG...]. Prints the processor time of
 * the command in microseconds and its peak memory in KiB. The output of the command
 * goes to FILE, or is dropped. The exit status is that of the command, or 128 and the
 * number of the signal that ended the command. The peak memory of a process includes
 * that of the process that forked it, and this program needs very little.
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
