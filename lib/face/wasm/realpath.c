/* realpath(), which WASI lacks: links are resolved one by one, as far as the host's folders
 * reach. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS = 40 }; /* the most on a way, as Linux has it */

/* Removes the last name of a path, which begins with a slash or is empty. */
static void
leave(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash != NULL)
		*slash = '\0';
}

/* Adds n bytes to a path of PATH_MAX bytes; returns false if they are too many. */
static bool
append(char *path, const char *s, size_t n)
{
	size_t length = strlen(path);

	if (length + n >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(path + length, s, n);
	path[length + n] = '\0';
	return true;
}

/* Puts the target of the link `path` before the names that are left. */
static bool
follow(char *path, char *left)
{
	char target[PATH_MAX] = "";
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n < 0 || !append(target, left, strlen(left)))
		return false;
	leave(path);
	if (*target == '/')
		*path = '\0';
	strcpy(left, target);
	return true;
}

/* Goes on to the first of the names that are left, and takes it from them. */
static bool
enter(char *path, char *left, size_t *links)
{
	size_t from = strspn(left, "/"), n = strcspn(left + from, "/");
	char name[PATH_MAX] = "/";
	struct stat st;

	append(name, left + from, n);
	memmove(left, left + from + n, strlen(left + from + n) + 1);
	if (n == 0 || strcmp(name, "/.") == 0)
		return true;
	if (strcmp(name, "/..") == 0) {
		leave(path);
		return true;
	}
	if (!append(path, name, n + 1) || lstat(path, &st) != 0)
		return false;
	if (!S_ISLNK(st.st_mode)) {
		errno = ENOTDIR;
		return *left == '\0' || S_ISDIR(st.st_mode);
	}
	errno = ELOOP;
	return (*links)++ < LINKS && follow(path, left);
}

char *
realpath(const char *path, char *to)
{
	char left[PATH_MAX] = "", found[PATH_MAX] = "";
	size_t links = 0;

	if ((*path != '/' && getcwd(found, sizeof found) == NULL) ||
	    !append(left, path, strlen(path)))
		return NULL;
	if (strcmp(found, "/") == 0)
		*found = '\0';
	errno = ENOENT;
	if (*path == '\0')
		return NULL;
	while (*left != '\0')
		if (!enter(found, left, &links))
			return NULL;
	if (*found == '\0')
		strcpy(found, "/");
	return to == NULL ? strdup(found) : strcpy(to, found);
}
