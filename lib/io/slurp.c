#include "io/slurp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
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

static const char *
too_large(struct arena *a, size_t most)
{
	return str_printf(a, "larger than %zu bytes", most).s;
}

/* Returns NULL or the reason why not all of the file can be read. */
static const char *
read_whole(struct arena *a, int fd, enum slurp_kind kind, size_t most,
    struct str *text)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return strerror(errno);
	if (kind == SLURP_REGULAR && !S_ISREG(st.st_mode) &&
	    !S_ISDIR(st.st_mode))
		return "not a regular file";
	if (S_ISREG(st.st_mode) && (uintmax_t)st.st_size > most)
		return too_large(a, most);
	if (!slurp(a, fd, most < SIZE_MAX ? most + 1 : most, text))
		return strerror(errno);
	return text->n > most ? too_large(a, most) : NULL;
}

const char *
slurp_whole(struct arena *a, const char *path, enum slurp_kind kind,
    size_t most, struct str *text)
{
	bool standard = kind == SLURP_NAMED && strcmp(path, "-") == 0;
	/* Without O_NONBLOCK a FIFO would wait for a writer. */
	int fd = standard ? STDIN_FILENO
			  : open(path,
				O_RDONLY | O_CLOEXEC |
				    (kind == SLURP_REGULAR ? O_NONBLOCK : 0));
	const char *why =
	    fd < 0 ? strerror(errno) : read_whole(a, fd, kind, most, text);

	if (fd >= 0 && !standard)
		close(fd);
	return why;
}
