#include "io/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024 };

bool
slurp(struct arena *a, int fd, size_t most, struct str *text)
{
	size_t size = most < BLOCK ? most : BLOCK, n = 0;
	char *buf = arena_room(a, size);

	while (n < most) {
		ssize_t got = read(fd, buf + n, size - n);

		if (got == 0)
			break;
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			n += (size_t)got;
		if (n == size && size < most) {
			char *more;

			size = size < most / 2 ? size * 2 : most;
			more = arena_room(a, size);
			memcpy(more, buf, n);
			buf = more;
		}
	}
	*text = (struct str){ buf, n };
	return true;
}

bool
slurp_file(struct arena *a, const char *path, size_t most, struct str *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), why;
	bool well = fd >= 0 && slurp(a, fd, most, text);

	why = errno;
	if (fd >= 0)
		close(fd);
	errno = why;
	return well;
}
