/*
 * A library to be preloaded that makes one call fail and passes the other calls to
 * the system. tests/suite/all/faults runs the commands with these variables:
 *	FAULT=N       the number of the call that fails, from 1, in the program and
 *	              the processes that it forks
 *	FAULT_HOW     fail: the call does nothing and returns an error of the system
 *	              call: like fail, but allocations succeed
 *	              short: a read or write moves one byte
 *	              intr: the call returns EINTR
 *	              dry: this allocation and all later ones fail
 *	              old: no call fails but those that a kernel of 2018 lacks, all
 *	              the time
 *	FAULT_LOG     a file to which the name of the call is written when it fails
 * Only the calls that FAULT_HOW applies to are counted. Programs that the program
 * executes do not load this library.
 */
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The functions replace those of the system, which have the same names.
 * NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
 * NOLINTBEGIN(performance-no-int-to-ptr, readability-function-size) */

/* glibc's own allocation functions, since dlsym may call the replacements. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static _Atomic long
    *left; /* calls until the fault; shared with forked processes */
static enum { FAIL, CALL, SHORT, INTR, DRY, OLD } how;
static const char *log_path;

/* Reads the variables before main() is called. */
__attribute__((constructor)) static void
begin(void)
{
	const char *n = getenv("FAULT"), *way = getenv("FAULT_HOW");
	void *page;

	unsetenv("LD_PRELOAD");
	log_path = getenv("FAULT_LOG");
	if (n == NULL || way == NULL || log_path == NULL)
		return;
	how = strcmp(way, "fail") == 0  ? FAIL
	    : strcmp(way, "call") == 0  ? CALL
	    : strcmp(way, "short") == 0 ? SHORT
	    : strcmp(way, "intr") == 0  ? INTR
	    : strcmp(way, "old") == 0   ? OLD
					: DRY;
	page = (void *)syscall(SYS_mmap, NULL, sizeof *left,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		abort();
	left = page;
	*left = strtol(n, NULL, 10);
}

bool
fault_is_old(void)
{
	errno = how == OLD ? ENOSYS : errno;
	return how == OLD;
}

/* Counts a call. Returns whether this call is the one that fails. */
static bool
strikes(const char *call)
{
	int saved = errno;
	long fd;

	if (left == NULL || (*left)-- != 1)
		return false;
	fd = syscall(SYS_openat, AT_FDCWD, log_path,
	    O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd < 0 || syscall(SYS_write, fd, call, strlen(call)) < 0)
		abort();
	syscall(SYS_close, fd);
	errno = saved;
	return true;
}

bool
fault_hits(const char *call, int error)
{
	if ((how != FAIL && how != CALL) || !strikes(call))
		return false;
	errno = error;
	return true;
}

/* Returns whether an allocation fails now. */
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

bool
fault_interrupts(const char *call, int error)
{
	if (how == SHORT || how == DRY || how == OLD || !strikes(call))
		return false;
	errno = how == INTR ? EINTR : error;
	return true;
}

size_t
fault_moves(const char *call, size_t n)
{
	return how == SHORT && n > 1 && strikes(call) ? 1 : n;
}

void
fault_next(void *function, const char *name)
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

/* ---- bytes ---- */

ssize_t
read(int fd, void *to, size_t n)
{
	if (fault_interrupts("read", EIO))
		return -1;
	return syscall(SYS_read, fd, to, fault_moves("read", n));
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	if (fault_interrupts("pread", EIO))
		return -1;
	return syscall(SYS_pread64, fd, to, fault_moves("pread", n), at);
}

ssize_t
pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (fault_interrupts("pwrite", ENOSPC))
		return -1;
	return syscall(SYS_pwrite64, fd, from, fault_moves("pwrite", n), at);
}

ssize_t
write(int fd, const void *from, size_t n)
{
	if (fault_interrupts("write", ENOSPC))
		return -1;
	return syscall(SYS_write, fd, from, fault_moves("write", n));
}

ssize_t
writev(int fd, const struct iovec *from, int n)
{
	bool all;

	if (fault_interrupts("writev", ENOSPC))
		return -1;
	all = n == 0 || fault_moves("writev", from->iov_len) == from->iov_len;
	return all ? syscall(SYS_writev, fd, from, n)
		   : syscall(SYS_write, fd, from->iov_base, 1);
}

off_t
lseek(int fd, off_t to, int from)
{
	return fault_hits("lseek", EIO) ? -1 : syscall(SYS_lseek, fd, to, from);
}

/* Closes the file even if the call fails: then written data may be lost. */
int
close(int fd)
{
	bool failed = fault_hits("close", EIO);
	int error = errno;
	int result = (int)syscall(SYS_close, fd);

	if (failed)
		errno = error;
	return failed ? -1 : result;
}

ssize_t
send(int fd, const void *from, size_t n, int flags)
{
	if (fault_interrupts("send", ECONNRESET))
		return -1;
	return syscall(
	    SYS_sendto, fd, from, fault_moves("send", n), flags, NULL, 0);
}

ssize_t
recv(int fd, void *to, size_t n, int flags)
{
	if (fault_interrupts("recv", ECONNRESET))
		return -1;
	return syscall(
	    SYS_recvfrom, fd, to, fault_moves("recv", n), flags, NULL, NULL);
}

/* Writes the data even if the call fails: then the data may be lost. */
int
fflush(FILE *f)
{
	int (*real)(FILE *);

	fault_next(&real, "fflush");
	return real(f) != 0 || fault_hits("fflush", ENOSPC) ? EOF : 0;
}

int
fclose(FILE *f)
{
	int (*real)(FILE *);

	fault_next(&real, "fclose");
	return real(f) != 0 || fault_hits("fclose", EIO) ? EOF : 0;
}
/* NOLINTEND(performance-no-int-to-ptr, readability-function-size)
 * NOLINTEND(readability-inconsistent-declaration-parameter-name)
 * NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming) */
