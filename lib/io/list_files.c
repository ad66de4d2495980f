#include "io/list_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/str.h"
#include "io/fileset.h"

static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

struct search {
	struct arena *arena;
	struct folder found;
	struct fileset read; /* folders: links may form circles */
};

static void
collect(struct search *s, const char *path)
{
	struct arena *a = s->arena;
	struct dirent **list;
	int n = scandir(path, &list, is_visible, by_bytes);

	if (n < 0 && errno == ENOMEM)
		diag_die("out of memory");
	if (n < 0 && errno != ENOENT && errno != ENOTDIR)
		diag_error((struct place){ .file = path }, "cannot read:");
	for (int i = 0; i < n; i++) {
		char *file =
		    str_c(a, str_printf(a, "%s/%s", path, list[i]->d_name));
		struct stat st;

		free(list[i]);
		if (stat(file, &st) != 0) {
			if (errno != ENOENT) /* as of a broken link */
				diag_error((struct place){ .file = file },
				    "cannot read:");
			continue;
		}
		if (S_ISREG(st.st_mode))
			*arena_push(a, s->found.paths, s->found.n) = file;
		else if (S_ISDIR(st.st_mode) && fileset_enter(&s->read, &st))
			collect(s, file);
	}
	if (n >= 0)
		free(list);
}

struct folder
list_files(struct arena *a, const char *path)
{
	struct search s = { .arena = a, .read.arena = a };
	struct stat st;

	if (stat(path, &st) == 0)
		fileset_enter(&s.read, &st);
	collect(&s, path);
	return s.found;
}
