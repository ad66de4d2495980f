/* Replaces the calls that take a path or make a descriptor: see fault.h. */
#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The functions replace those of the system, which have the same names.
 * NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* ---- opening ---- */

static int
open_as(const char *call, int folder, const char *path, int flags, int mode)
{
	if (fault_hits(call, EMFILE))
		return -1;
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	return open_as("open", AT_FDCWD, path, flags, mode);
}

int
openat(int folder, const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	return open_as("openat", folder, path, flags, mode);
}

/* FORTIFY calls these functions in place of open and openat. */
int __open_2(const char *path, int flags);
int
__open_2(const char *path, int flags)
{
	return open_as("open", AT_FDCWD, path, flags, 0);
}

int __openat_2(int folder, const char *path, int flags);
int
__openat_2(int folder, const char *path, int flags)
{
	return open_as("openat", folder, path, flags, 0);
}

FILE *
fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);

	fault_next(&real, "fopen");
	return fault_hits("fopen", EMFILE) ? NULL : real(path, mode);
}

FILE *
open_memstream(char **text, size_t *size)
{
	FILE *(*real)(char **, size_t *);

	fault_next(&real, "open_memstream");
	return fault_hits("open_memstream", ENOMEM) ? NULL : real(text, size);
}

int
mkstemp(char *path)
{
	int (*real)(char *);

	fault_next(&real, "mkstemp");
	return fault_hits("mkstemp", EMFILE) ? -1 : real(path);
}

int
memfd_create(const char *name, unsigned flags)
{
	if (fault_hits("memfd_create", EMFILE))
		return -1;
	return (int)syscall(SYS_memfd_create, name, flags);
}

int
pipe2(int ends[2], int flags)
{
	if (fault_hits("pipe2", EMFILE))
		return -1;
	return (int)syscall(SYS_pipe2, ends, flags);
}

int
dup2(int from, int to)
{
	int (*real)(int, int);

	fault_next(&real, "dup2");
	return fault_hits("dup2", EMFILE) ? -1 : real(from, to);
}

/* ---- names ---- */

int
fstat(int fd, struct stat *st)
{
	int (*real)(int, struct stat *);

	fault_next(&real, "fstat");
	return fault_hits("fstat", EIO) ? -1 : real(fd, st);
}

int
stat(const char *path, struct stat *st)
{
	int (*real)(const char *, struct stat *);

	fault_next(&real, "stat");
	return fault_hits("stat", EIO) ? -1 : real(path, st);
}

int
fchmod(int fd, mode_t mode)
{
	return fault_hits("fchmod", EIO) ? -1
					 : (int)syscall(SYS_fchmod, fd, mode);
}

int
access(const char *path, int mode)
{
	int (*real)(const char *, int);

	fault_next(&real, "access");
	return fault_hits("access", EIO) ? -1 : real(path, mode);
}

int
linkat(int from, const char *old, int to, const char *new, int flags)
{
	if (fault_hits("linkat", EIO))
		return -1;
	return (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int
rename(const char *old, const char *new)
{
	int (*real)(const char *, const char *);

	fault_next(&real, "rename");
	return fault_hits("rename", EIO) ? -1 : real(old, new);
}

int
mkdir(const char *path, mode_t mode)
{
	int (*real)(const char *, mode_t);

	fault_next(&real, "mkdir");
	return fault_hits("mkdir", EIO) ? -1 : real(path, mode);
}

int
fstatat(int folder, const char *path, struct stat *st, int flags)
{
	int (*real)(int, const char *, struct stat *, int);

	fault_next(&real, "fstatat");
	return fault_hits("fstatat", EIO) ? -1 : real(folder, path, st, flags);
}

int
faccessat(int folder, const char *path, int mode, int flags)
{
	int (*real)(int, const char *, int, int);

	fault_next(&real, "faccessat");
	return fault_hits("faccessat", EIO) ? -1
					    : real(folder, path, mode, flags);
}

ssize_t
readlink(const char *path, char *to, size_t n)
{
	ssize_t (*real)(const char *, char *, size_t);

	fault_next(&real, "readlink");
	return fault_hits("readlink", EIO) ? -1 : real(path, to, n);
}

ssize_t
readlinkat(int folder, const char *path, char *to, size_t n)
{
	ssize_t (*real)(int, const char *, char *, size_t);

	fault_next(&real, "readlinkat");
	return fault_hits("readlinkat", EIO) ? -1 : real(folder, path, to, n);
}

char *
realpath(const char *path, char *to)
{
	char *(*real)(const char *, char *);

	fault_next(&real, "realpath");
	return fault_hits("realpath", EIO) ? NULL : real(path, to);
}

/* FORTIFY calls this function in place of realpath. */
char *__realpath_chk(const char *path, char *to, size_t n);
char *
__realpath_chk(const char *path, char *to, size_t n)
{
	(void)n;
	return realpath(path, to);
}

int
unlink(const char *path)
{
	int (*real)(const char *);

	fault_next(&real, "unlink");
	return fault_hits("unlink", EIO) ? -1 : real(path);
}

int
flock(int fd, int how)
{
	int (*real)(int, int);

	fault_next(&real, "flock");
	return fault_hits("flock", ENOLCK) ? -1 : real(fd, how);
}

/* ---- folders ---- */

DIR *
fdopendir(int fd)
{
	DIR *(*real)(int);

	fault_next(&real, "fdopendir");
	return fault_hits("fdopendir", ENOMEM) ? NULL : real(fd);
}

struct dirent *
readdir(DIR *folder)
{
	struct dirent *(*real)(DIR *);

	fault_next(&real, "readdir");
	return fault_hits("readdir", EIO) ? NULL : real(folder);
}

int
scandir(const char *path, struct dirent ***list,
    int (*chosen)(const struct dirent *),
    int (*order)(const struct dirent **, const struct dirent **))
{
	int (*real)(const char *, struct dirent ***,
	    int (*)(const struct dirent *),
	    int (*)(const struct dirent **, const struct dirent **));

	fault_next(&real, "scandir");
	return fault_hits("scandir", EIO) ? -1
					  : real(path, list, chosen, order);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name)
 * NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming) */
