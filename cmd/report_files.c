#include "cmd/report_files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/hash.h"
#include "report/tally/partial.h"

#define SUFFIX ".runs"

enum { BEGIN_MAX = 32 }; /* bytes */

/* Returns whether a regular file begins with these bytes, at most BEGIN_MAX. */
static bool
begins(const char *path, struct str want)
{
	char text[BEGIN_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, text, want.n);
	if (fd >= 0)
		close(fd);
	return n == (ssize_t)want.n && memcmp(text, want.s, want.n) == 0;
}

/* Returns the name of the partial that the file may be beside, or an absent string. */
static struct str
partial_of(const char *file, struct arena *a)
{
	struct str name = str_of(file);

	if (!str_ends(name, STR(SUFFIX)))
		return (struct str){ 0 };
	name.n -= strlen(SUFFIX);
	return str_dup(a, name);
}

void
report_files(char **files)
{
	struct arena a = { 0 };
	struct hash_table names = { .arena = &a };
	char **kept = files;

	for (char **f = files; *f != NULL; f++)
		*hash_put(&names, str_of(*f)) = *f;
	for (char **f = files; *f != NULL; f++) {
		struct str name = partial_of(*f, &a);
		const char *partial =
		    name.s == NULL ? NULL : hash_get(&names, name);

		if (partial == NULL || !begins(partial, STR(PARTIAL_BEGINS)) ||
		    !begins(*f, STR(PARTIAL_RUNS_BEGINS)))
			*kept++ = *f;
	}
	*kept = NULL;
	arena_free(&a);
}

/* ---- the output ---- */

static bool
is_folder(const char *path)
{
	struct stat st;

	return path != NULL &&
	    (str_ends(str_of(path), STR("/")) ||
		(stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

struct content_folder *
report_folder(
    const struct report_format *format, struct cli *c, struct arena *a)
{
	struct content_folder *f;
	struct str path;

	if (format != &report_html || !is_folder(c->output))
		return NULL;
	f = arena_new(a, struct content_folder);
	path = str_of(c->output);
	while (path.n > 1 && path.s[path.n - 1] == '/')
		path.n--;
	if (mkdir(str_c(a, path), 0777) != 0 && errno != EEXIST)
		diag_die("%s: cannot write:", c->output);
	c->output = str_c(a, str_cat(a, path, STR("/index.html")));
	f->path = str_c(a, str_cat(a, path, STR("/runs")));
	f->ending = ".css";
	return f;
}

void
report_close(struct out *out, struct content_folder *folder)
{
	bool kept = !(out->strict && diag_errors() != 0);

	kept &= out_close(out);
	if (folder != NULL)
		content_folder_end(folder, kept);
}
