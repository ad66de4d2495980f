#include "io/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"

enum { ATTEMPTS = 100 }; /* to find a free name */

#ifdef O_TMPFILE
/* Returns the folder of the path, which the caller frees. */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash == NULL ? strdup(".")
	    : slash == path          ? strdup("/")
				     : strndup(path, (size_t)(slash - path));

	if (folder == NULL)
		diag_die("out of memory");
	return folder;
}
#endif

/* Opens a file without a name. Returns -1 if the system has no such files, or
 * cannot name them later. */
static int
open_nameless(const char *path)
{
	int fd = -1;

#ifdef O_TMPFILE
	char *folder = folder_of(path);

	if (access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(folder);
#else
	(void)path;
#endif
	return fd;
}

/* Gives the open file this name, or creates the file if none is open. */
static bool
take_name(struct atomic_file *f, const char *name)
{
	char self[32];

	if (f->fd < 0) {
		f->fd =
		    open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		return f->fd >= 0;
	}
	snprintf(self, sizeof self, "/proc/self/fd/%d", f->fd);
	return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Gives the file a temporary name in its final folder. */
static bool
name_it(struct atomic_file *f)
{
	for (int i = 0; f->temporary == NULL && i < ATTEMPTS; i++) {
		char *name;

		if (asprintf(&name, "%s.%ld-%d", f->path, (long)getpid(), i) <
		    0)
			diag_die("out of memory");
		if (take_name(f, name)) {
			f->temporary = name;
			continue;
		}
		free(name);
		if (errno != EEXIST)
			break;
	}
	return f->temporary != NULL;
}

static bool
open_beside(struct atomic_file *f, const char *path, const struct stat *old)
{
	if (old != NULL && access(path, W_OK) != 0)
		return false;
	f->path = old != NULL ? realpath(path, NULL) : strdup(path);
	if (f->path == NULL)
		return false;
	f->fd = open_nameless(f->path);
	if (f->fd < 0 && !name_it(f))
		return false;
	return old == NULL || fchmod(f->fd, old->st_mode & 0777) == 0;
}

bool
atomic_file_open(struct atomic_file *f, const char *path)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	int error;

	*f = (struct atomic_file){ .fd = -1 };
	if (exists && !S_ISREG(st.st_mode)) {
		f->fd = open(path, O_WRONLY | O_CLOEXEC);
		return f->fd >= 0;
	}
	if (open_beside(f, path, exists ? &st : NULL))
		return true;
	error = errno;
	atomic_file_close(f, false);
	errno = error;
	return false;
}

/*
 * Gives the file its final name, or a temporary name if the final one is taken,
 * since no system call replaces a file by a file without a name. A free name is
 * taken in one step, so that a program that is killed meanwhile leaves nothing
 * behind.
 */
static bool
appear(struct atomic_file *f)
{
	if (f->temporary != NULL)
		return true;
	if (!take_name(f, f->path))
		return name_it(f);
	f->temporary = f->path;
	f->path = NULL;
	return true;
}

bool
atomic_file_close(struct atomic_file *f, bool keep)
{
	int error = 0;

	if (keep && f->path != NULL && !appear(f))
		error = errno;
	if (f->fd >= 0 && close(f->fd) != 0 && error == 0)
		error = errno;
	keep = keep && error == 0;
	if (keep && f->path != NULL && rename(f->temporary, f->path) != 0)
		error = errno;
	if ((!keep || error != 0) && f->temporary != NULL)
		unlink(f->temporary);
	free(f->path);
	free(f->temporary);
	*f = (struct atomic_file){ .fd = -1 };
	errno = error;
	return error == 0;
}
