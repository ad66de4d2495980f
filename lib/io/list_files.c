#include "io/list_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/str.h"
#include "io/fileset.h"

static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_inside(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

struct search {
	struct arena *arena;
	struct folder found;
	struct fileset read; /* folders: links may form circles */
	bool readable;       /* leaves out what may not be read */
	size_t most;         /* files */
	const char *wanted;  /* hidden files that are listed; NULL: none */
};

/* Reports that a file or folder cannot be read, if that is an error: the target
 * of a broken link, for one, does not exist. */
static void
report(const struct search *s, const char *path)
{
	if (errno == ENOMEM)
		diag_die("out of memory");
	if (errno != ENOENT && errno != ENOTDIR &&
	    !(s->readable && errno == EACCES))
		diag_error((struct place){ .file = path }, "cannot read:");
}

static void collect(struct search *, const char *path);

/* Adds the file at this path, or the files in the folder. */
static void
add(struct search *s, char *path)
{
	const char *name = strrchr(path, '/') + 1;
	bool hidden = *name == '.' && !str_is_one_of(str_of(name), s->wanted);
	struct stat st;

	if (stat(path, &st) != 0) {
		if (!hidden)
			report(s, path);
	} else if (hidden && S_ISDIR(st.st_mode)) {
		*arena_push(s->arena, s->found.hidden, s->found.n_hidden) =
		    path;
	} else if (!hidden && S_ISREG(st.st_mode)) {
		if (!s->readable || access(path, R_OK) == 0)
			*arena_push(s->arena, s->found.paths, s->found.n) =
			    path;
	} else if (!hidden && S_ISDIR(st.st_mode) &&
	    fileset_enter(&s->read, &st)) {
		collect(s, path);
	}
}

static void
collect(struct search *s, const char *path)
{
	struct arena *a = s->arena;
	struct dirent **list;
	int n = scandir(path, &list, is_inside, by_bytes);

	if (n < 0) {
		report(s, path);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (s->found.n < s->most)
			add(s,
			    str_c(a,
				str_printf(a, "%s/%s", path, list[i]->d_name)));
		free(list[i]);
	}
	free(list);
}

static struct folder
list(struct search s, const char *path)
{
	struct stat st;

	s.read.arena = s.arena;
	if (stat(path, &st) == 0)
		fileset_enter(&s.read, &st);
	collect(&s, path);
	return s.found;
}

struct folder
list_files(struct arena *a, const char *path)
{
	return list((struct search){ .arena = a, .most = SIZE_MAX }, path);
}

struct folder
list_files_and(struct arena *a, const char *path, const char *hidden)
{
	return list(
	    (struct search){ .arena = a, .most = SIZE_MAX, .wanted = hidden },
	    path);
}

struct folder
list_readable_files(struct arena *a, const char *path, size_t most)
{
	return list(
	    (struct search){ .arena = a, .readable = true, .most = most },
	    path);
}
