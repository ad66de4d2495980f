/*
 * A library to be preloaded that acts like an intruder who controls the program: at
 * the end of the program it tries to write a new file ($INTRUDER), to remove a file
 * ($INTRUDER.old) and to open a network socket, and prints the system's answers on
 * standard error. tests/suite/check/confine runs the commands with this library.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *
answer(int got)
{
	return got >= 0 ? "done" : strerrorname_np(errno);
}

__attribute__((destructor)) static void
intrude(void)
{
	const char *path = getenv("INTRUDER");
	char old[4096];

	if (path == NULL)
		return;
	snprintf(old, sizeof old, "%s.old", path);
	dprintf(2, "write %s\n",
	    answer(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666)));
	dprintf(2, "remove %s\n", answer(unlink(old)));
	dprintf(2, "network %s\n",
	    answer(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
}
