#include "trace/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "base/diag.h"
#include "io/slurp.h"

/* Other systems open a place only for reading, and a FIFO without waiting. */
#ifndef O_PATH
#define O_PATH (O_RDONLY | O_NONBLOCK)
#endif

bool
workspace_clean(struct arena *a, struct str path, struct str *cleaned)
{
	struct str *parts = NULL, rest = path;
	size_t n = 0;
	bool absolute = str_starts(path, "/");

	while (rest.s != NULL) {
		struct str part = str_cut(&rest, '/');

		if (part.n == 0 || str_is(part, "."))
			continue;
		if (!str_is(part, "..")) {
			*arena_push(a, parts, n) = part;
			continue;
		}
		if (n > 0)
			n--;
		else if (!absolute) /* nothing is above "/" */
			return false;
	}
	*cleaned = n == 0 ? STR(".") : str_join(a, parts, n, STR("/"));
	return memchr(cleaned->s, '\0', cleaned->n) == NULL;
}

/* Ends the program if the error is a lack of system resources (memory,
 * descriptors), since a verdict must not depend on these. Returns false. */
static bool
check_exhausted(const char *path)
{
	if (diag_exhausted(errno))
		diag_die("%s: cannot read:", path);
	return false;
}

static int
open_root(const char *folder)
{
	int root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (root < 0)
		check_exhausted(folder);
	return root;
}

bool
workspace_exists(const char *folder)
{
	int root = open_root(folder);

	if (root >= 0)
		close(root);
	return root >= 0;
}

static int
open_beneath(int folder, const char *path)
{
#ifdef __linux__
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };

	return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
#else
	(void)folder, (void)path;
	errno = ENOSYS;
	return -1;
#endif
}

/*
 * Opens the place that the path leads to after all links are followed, if that
 * is within the folder. This is for links that name a place in the folder by an
 * absolute path, and for systems without openat2.
 */
static enum workspace_found
open_resolved(struct arena *a, const char *folder, const char *path, int *fd)
{
	char root[PATH_MAX], target[PATH_MAX];
	struct str inside;

	if (realpath(folder, root) == NULL ||
	    realpath(str_printf(a, "%s/%s", folder, path).s, target) == NULL)
		return WORKSPACE_MISSING;
	inside = str_of(root);
	if (!str_starts(str_of(target), inside) ||
	    (target[inside.n] != '/' && target[inside.n] != '\0'))
		return WORKSPACE_OUTSIDE;
	*fd = open(target, O_PATH | O_CLOEXEC | O_NOFOLLOW);
	return *fd < 0 ? WORKSPACE_MISSING : WORKSPACE_THERE;
}

enum workspace_found
workspace_look(struct arena *a, const char *folder, struct str path, int *fd)
{
	enum workspace_found found = WORKSPACE_THERE;
	struct str inside;
	int root, file;

	if (!workspace_clean(a, path, &inside))
		return memchr(path.s, '\0', path.n) == NULL ? WORKSPACE_OUTSIDE
							    : WORKSPACE_MISSING;
	root = open_root(folder);
	if (root < 0)
		return WORKSPACE_MISSING;
	file = open_beneath(root, str_c(a, inside));
	if (file < 0)
		found = errno == EXDEV || errno == ENOSYS || errno == EPERM
		    ? open_resolved(a, folder, str_c(a, inside), &file)
		    : WORKSPACE_MISSING;
	if (found == WORKSPACE_MISSING)
		check_exhausted(str_c(a, inside));
	close(root);
	if (fd != NULL)
		*fd = file;
	else if (file >= 0)
		close(file);
	return found;
}

/* Returns a path that leads to an O_PATH descriptor: its name in /proc or, where
 * /proc is not mounted, the path by which it was found. */
static const char *
path_to(struct arena *a, int fd, const char *folder, struct str path)
{
	const char *name = str_printf(a, "/proc/self/fd/%d", fd).s;
	struct str inside;

	if (access(name, F_OK) == 0 || !workspace_clean(a, path, &inside))
		return name;
	return str_printf(a, "%s/%.*s", folder, STR_FMT(inside)).s;
}

/* Opens the regular file that the path leads to. */
static enum workspace_found
open_file(struct arena *a, const char *folder, struct str path, int *fd,
    struct stat *st)
{
	enum workspace_found found = workspace_look(a, folder, path, fd);

	if (found != WORKSPACE_THERE)
		return found;
	if (fstat(*fd, st) != 0)
		check_exhausted(folder);
	else if (S_ISREG(st->st_mode))
		return WORKSPACE_THERE;
	close(*fd);
	return WORKSPACE_MISSING;
}

/* Reads the first `most` bytes of the file that fd is and that name leads to,
 * and closes fd. */
static enum workspace_found
read_start(
    struct arena *a, int fd, const char *name, size_t most, struct str *text)
{
	bool read = slurp_file(a, name, most, text) || check_exhausted(name);

	close(fd);
	return read ? WORKSPACE_THERE : WORKSPACE_MISSING;
}

enum workspace_found
workspace_read(struct arena *a, const char *folder, struct str path,
    size_t most, struct str *text)
{
	struct stat st;
	int fd = -1;
	enum workspace_found found = open_file(a, folder, path, &fd, &st);

	return found != WORKSPACE_THERE
	    ? found
	    : read_start(a, fd, path_to(a, fd, folder, path), most, text);
}

enum workspace_found
workspace_read_whole(struct arena *a, const char *folder, struct str path,
    size_t most, struct str *text)
{
	struct stat st;
	int fd = -1;
	enum workspace_found found = open_file(a, folder, path, &fd, &st);

	if (found != WORKSPACE_THERE)
		return found;
	if ((uintmax_t)st.st_size > most) {
		close(fd);
		return WORKSPACE_LARGE;
	}
	found = read_start(a, fd, path_to(a, fd, folder, path),
	    most < SIZE_MAX ? most + 1 : most, text);
	return found == WORKSPACE_THERE && text->n > most ? WORKSPACE_LARGE
							  : found;
}

enum workspace_found
workspace_folder(
    struct arena *a, const char *folder, struct str path, struct str *found)
{
	char target[PATH_MAX];
	const char *name;
	int fd = -1;
	enum workspace_found there = workspace_look(a, folder, path, &fd);
	struct stat st;

	if (there != WORKSPACE_THERE)
		return there;
	name = path_to(a, fd, folder, path);
	if (realpath(name, target) == NULL || fstat(fd, &st) != 0) {
		check_exhausted(name);
		there = WORKSPACE_MISSING;
	} else if (!S_ISDIR(st.st_mode))
		there = WORKSPACE_MISSING;
	else
		*found = str_dup(a, str_of(target));
	close(fd);
	return there;
}
