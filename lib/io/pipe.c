#include "io/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { WIDE = 512 * 1024 }; /* bytes */

int
pipe_open(int ends[2])
{
#ifdef __APPLE__
	return pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 ||
		fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0
	    ? -1
	    : 0;
#else
	return pipe2(ends, O_CLOEXEC);
#endif
}

void
pipe_widen(int fd)
{
#ifdef F_SETPIPE_SZ
	int before = errno;
	int holds = fcntl(fd, F_GETPIPE_SZ);

	if (holds > 0 && holds < WIDE)
		(void)fcntl(fd, F_SETPIPE_SZ, WIDE);
	errno = before;
#else
	(void)fd;
#endif
}

bool
pipe_again(int fd, short events, int error)
{
	struct pollfd one = { fd, events, 0 };

	if (error == EAGAIN)
		(void)poll(&one, 1, -1);
	return error == EAGAIN || error == EINTR;
}
