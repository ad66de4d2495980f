/*
 * What the world may do to a program, once: a library to be preloaded, which
 * makes one call fail and lets the others through. tests/suite/faults runs the
 * commands with
 *	FAULT=N       the N-th call, of the program and what it forks, from 1
 *	FAULT_HOW     fail: it does nothing and says so, as the system would
 *	              short: a read or write moves one byte
 *	              intr: it was interrupted by a signal
 *	              dry: from this allocation on there is no more memory
 *	FAULT_TOLD    a file to write the call's name to, when it is its turn
 * Only calls that the way could happen to are counted. What the program
 * executes is left alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* All of them stand before the system's, under its names.
 * NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
 * NOLINTBEGIN(performance-no-int-to-ptr, readability-function-size) */

/* glibc's own, since dlsym may call the others. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static _Atomic long *left; /* calls until the fault; shared with what forks */
static enum { FAIL, SHORT, INTR, DRY } how;
static const char *told;

/* Before main. */
__attribute__((constructor)) static void
begin(void)
{
	const char *n = getenv("FAULT"), *way = getenv("FAULT_HOW");
	void *page;

	unsetenv("LD_PRELOAD");
	told = getenv("FAULT_TOLD");
	if (n == NULL || way == NULL || told == NULL)
		return;
	how = strcmp(way, "fail") == 0  ? FAIL
	    : strcmp(way, "short") == 0 ? SHORT
	    : strcmp(way, "intr") == 0  ? INTR
					: DRY;
	page = (void *)syscall(SYS_mmap, NULL, sizeof *left,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		abort();
	left = page;
	*left = strtol(n, NULL, 10);
}

/* Whether it is this call's turn. */
static bool
strikes(const char *call)
{
	int saved = errno;
	long fd;

	if (left == NULL || (*left)-- != 1)
		return false;
	fd = syscall(
	    SYS_openat, AT_FDCWD, told, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd < 0 || syscall(SYS_write, fd, call, strlen(call)) < 0)
		abort();
	syscall(SYS_close, fd);
	errno = saved;
	return true;
}

/* Whether the call fails now; then errno says why. */
static bool
fails(const char *call, int error)
{
	if (how != FAIL || !strikes(call))
		return false;
	errno = error;
	return true;
}

/* The same of an allocation. */
static bool
is_dry(const char *call)
{
	if (how != FAIL && how != DRY)
		return false;
	if (!(how == DRY && left != NULL && *left < 1) && !strikes(call))
		return false;
	errno = ENOMEM;
	return true;
}

/* The same of one that waits, and so may be interrupted. */
static bool
fails_slow(const char *call, int error)
{
	if (how == SHORT || how == DRY || !strikes(call))
		return false;
	errno = how == INTR ? EINTR : error;
	return true;
}

/* How much of n bytes is moved. */
static size_t
moved(const char *call, size_t n)
{
	return how == SHORT && n > 1 && strikes(call) ? 1 : n;
}

/* Sets the pointer to a function to the one that ours stands before. */
static void
next(void *function, const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);

	if (found == NULL)
		abort();
	memcpy(function, &found, sizeof found);
}

/* ---- memory ---- */

void *
malloc(size_t size)
{
	return is_dry("malloc") ? NULL : __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	return is_dry("calloc") ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t size)
{
	return is_dry("realloc") ? NULL : __libc_realloc(p, size);
}

void *
mmap(void *at, size_t n, int protection, int flags, int fd, off_t from)
{
	if (is_dry("mmap"))
		return MAP_FAILED;
	return (void *)syscall(
	    SYS_mmap, at, n, protection, flags, fd, (long)from);
}

/* ---- opening ---- */

static int
open_as(const char *call, int folder, const char *path, int flags, int mode)
{
	if (fails(call, EMFILE))
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

/* What FORTIFY makes of the two. */
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

	next(&real, "fopen");
	return fails("fopen", EMFILE) ? NULL : real(path, mode);
}

FILE *
open_memstream(char **text, size_t *size)
{
	FILE *(*real)(char **, size_t *);

	next(&real, "open_memstream");
	return fails("open_memstream", ENOMEM) ? NULL : real(text, size);
}

int
mkstemp(char *path)
{
	int (*real)(char *);

	next(&real, "mkstemp");
	return fails("mkstemp", EMFILE) ? -1 : real(path);
}

int
memfd_create(const char *name, unsigned flags)
{
	if (fails("memfd_create", EMFILE))
		return -1;
	return (int)syscall(SYS_memfd_create, name, flags);
}

int
pipe2(int ends[2], int flags)
{
	if (fails("pipe2", EMFILE))
		return -1;
	return (int)syscall(SYS_pipe2, ends, flags);
}

int
dup2(int from, int to)
{
	int (*real)(int, int);

	next(&real, "dup2");
	return fails("dup2", EMFILE) ? -1 : real(from, to);
}

/* ---- bytes ---- */

ssize_t
read(int fd, void *to, size_t n)
{
	if (fails_slow("read", EIO))
		return -1;
	return syscall(SYS_read, fd, to, moved("read", n));
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	if (fails_slow("pread", EIO))
		return -1;
	return syscall(SYS_pread64, fd, to, moved("pread", n), at);
}

ssize_t
pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (fails_slow("pwrite", ENOSPC))
		return -1;
	return syscall(SYS_pwrite64, fd, from, moved("pwrite", n), at);
}

ssize_t
write(int fd, const void *from, size_t n)
{
	if (fails_slow("write", ENOSPC))
		return -1;
	return syscall(SYS_write, fd, from, moved("write", n));
}

off_t
lseek(int fd, off_t to, int from)
{
	return fails("lseek", EIO) ? -1 : syscall(SYS_lseek, fd, to, from);
}

/* It is closed, but what was written may be lost. */
int
close(int fd)
{
	bool failed = fails("close", EIO);
	int error = errno;
	int result = (int)syscall(SYS_close, fd);

	if (failed)
		errno = error;
	return failed ? -1 : result;
}

/* ---- names ---- */

int
fstat(int fd, struct stat *st)
{
	int (*real)(int, struct stat *);

	next(&real, "fstat");
	return fails("fstat", EIO) ? -1 : real(fd, st);
}

int
stat(const char *path, struct stat *st)
{
	int (*real)(const char *, struct stat *);

	next(&real, "stat");
	return fails("stat", EIO) ? -1 : real(path, st);
}

int
fchmod(int fd, mode_t mode)
{
	return fails("fchmod", EIO) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int
access(const char *path, int mode)
{
	int (*real)(const char *, int);

	next(&real, "access");
	return fails("access", EIO) ? -1 : real(path, mode);
}

int
linkat(int from, const char *old, int to, const char *new, int flags)
{
	if (fails("linkat", EIO))
		return -1;
	return (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int
rename(const char *old, const char *new)
{
	int (*real)(const char *, const char *);

	next(&real, "rename");
	return fails("rename", EIO) ? -1 : real(old, new);
}

int
mkdir(const char *path, mode_t mode)
{
	int (*real)(const char *, mode_t);

	next(&real, "mkdir");
	return fails("mkdir", EIO) ? -1 : real(path, mode);
}

/* ---- programs ---- */

pid_t
fork(void)
{
	pid_t (*real)(void);

	next(&real, "fork");
	return fails("fork", EAGAIN) ? -1 : real();
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	pid_t (*real)(pid_t, int *, int);

	next(&real, "waitpid");
	return fails_slow("waitpid", ECHILD) ? -1 : real(pid, status, options);
}

int
poll(struct pollfd *list, nfds_t n, int ms)
{
	int (*real)(struct pollfd *, nfds_t, int);

	next(&real, "poll");
	return fails_slow("poll", ENOMEM) ? -1 : real(list, n, ms);
}
/* NOLINTEND(performance-no-int-to-ptr, readability-function-size)
 * NOLINTEND(readability-inconsistent-declaration-parameter-name)
 * NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming) */
