/*
 * A library to be preloaded that simulates a disk which fails within a file: each
 * attempt to read the bytes of the file $BAD from $BAD_FROM to before $BAD_TO fails.
 * If $BAD_CUT is 1, the first attempt to read them cuts the file off at $BAD_FROM, as
 * another program may do meanwhile.
 * tests/suite/all/disk runs the commands with this library.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* Returns the number of bytes that a variable of the environment holds, or 0. */
static off_t
bytes(const char *name)
{
	const char *value = getenv(name);

	return value == NULL ? 0 : strtol(value, NULL, 10);
}

static int
is_bad(int fd)
{
	const char *path = getenv("BAD");
	struct stat bad, st;

	return path != NULL && stat(path, &bad) == 0 && fstat(fd, &st) == 0 &&
	    st.st_dev == bad.st_dev && st.st_ino == bad.st_ino;
}

/* Returns how many of n bytes at an offset can be asked for; 0, with errno set, if the
 * first byte cannot be read. */
static size_t
readable(int fd, size_t n, off_t at)
{
	const char *path = getenv("BAD");
	off_t from = bytes("BAD_FROM"), to = bytes("BAD_TO");

	if (n == 0 || !is_bad(fd) || at >= to || at + (off_t)n <= from)
		return n;
	if (path != NULL && bytes("BAD_CUT") != 0)
		return truncate(path, from) == 0 ? n : 0;
	errno = EIO;
	return at >= from ? 0 : (size_t)(from - at);
}

ssize_t
read(int fd, void *to, size_t n)
{
	size_t most = readable(fd, n, lseek(fd, 0, SEEK_CUR));

	return most == 0 && n != 0 ? -1 : syscall(SYS_read, fd, to, most);
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	size_t most = readable(fd, n, at);

	return most == 0 && n != 0 ? -1
				   : syscall(SYS_pread64, fd, to, most, at);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
