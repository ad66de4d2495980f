#include "io/pipe.h"

#include <errno.h>
#include <fcntl.h>

enum { WIDE = 512 * 1024 }; /* bytes */

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
