#include "judge/workspace_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "io/out.h"
#include "text/unicode.h"
#include "trace/workspace.h"

enum {
	LOOK_MAX = 1 << 20, /* bytes of each text that are read for redaction */
	FILES_MAX = 1000,
	DEPTH_MAX = 64,
	SNIFFED = 8000, /* bytes that decide whether a file is text, as in
			 * git */
};

struct file {
	struct str path;
	size_t size;
	struct str link; /* target of the link; absent: not a link */
	const char *why; /* reason why its text is not shown; NULL: it is */
};

struct workspace {
	struct arena *arena;
	const char *folder;
	struct redaction *redaction; /* NULL: texts are not redacted */
	size_t most;                 /* bytes of all texts together */
	struct file *files;
	size_t n;
	bool more;  /* there are more than FILES_MAX files */
	int failed; /* errno of a failure to read the folder; 0: none */
};

/* ---- what there is ---- */

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
is_meant(const char *name)
{
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	    strcmp(name, ".git") != 0;
}

/* Returns the next entry that is not left out; NULL at the end, or with
 * errno. */
static const struct dirent *
next_entry(DIR *d)
{
	const struct dirent *entry;

	do {
		errno = 0;
		entry = readdir(d);
	} while (entry != NULL && !is_meant(entry->d_name));
	return entry;
}

/* Stores the sorted names in a folder and returns their number. */
static size_t
names_in(struct workspace *x, int folder, char ***names)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t n = 0;

	*names = NULL;
	while (d != NULL && (entry = next_entry(d)) != NULL)
		*arena_push(x->arena, *names, n) =
		    str_c(x->arena, str_of(entry->d_name));
	if (errno != 0)
		x->failed = errno;
	if (d != NULL)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	if (n > 0)
		qsort(*names, n, sizeof **names, by_bytes);
	return n;
}

/* Returns whether the beginning of the file is text. */
static bool
is_text(struct workspace *x, struct str path)
{
	struct str text;
	size_t length;

	if (workspace_read(x->arena, x->folder, path, SNIFFED, &text) !=
	    WORKSPACE_THERE)
		return false;
	for (size_t i = 0; i < text.n; i += length) {
		length = utf8_length(text.s + i, text.n - i);
		if (length == 0)
			return utf8_is_cut(text.s + i, text.n - i);
		if (text.s[i] == '\0')
			return false;
	}
	return true;
}

static void
add_file(struct workspace *x, int folder, const char *name, struct str path,
    const struct stat *st)
{
	char target[PATH_MAX];
	struct file *f = arena_push(x->arena, x->files, x->n);
	ssize_t n;

	f->path = path;
	f->size = (size_t)st->st_size;
	if (S_ISLNK(st->st_mode)) {
		n = readlinkat(folder, name, target, sizeof target);
		if (n < 0)
			x->failed = errno;
		f->link = str_dup(
		    x->arena, (struct str){ target, n < 0 ? 0 : (size_t)n });
	} else if (!S_ISREG(st->st_mode)) {
		f->why = "it is no file";
	} else if (faccessat(folder, name, R_OK, 0) != 0) {
		f->why = "it cannot be read";
		if (errno != EACCES)
			x->failed = errno;
	} else if (!is_text(x, path)) {
		f->why = "it is no text";
	}
}

static int
open_folder(int at, const char *name)
{
	return openat(at, name,
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC |
		(at == AT_FDCWD ? 0 : O_NOFOLLOW));
}

static void collect(struct workspace *, int folder, struct str path, int depth);

static void
add(struct workspace *x, int folder, const char *name, struct str path,
    int depth)
{
	struct stat st;
	int inner = -1;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		x->failed = errno;
		return;
	}
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
		inner = open_folder(folder, name);
		if (inner < 0 && errno != EACCES)
			x->failed = errno;
	}
	if (inner >= 0) {
		collect(x, inner, str_cat(x->arena, path, STR("/")), depth + 1);
		close(inner);
	} else if (x->n == FILES_MAX) {
		x->more = true;
	} else {
		add_file(x, folder, name, path, &st);
	}
}

/* Adds the files in the folder. `path` is its path and ends in a slash. */
static void
collect(struct workspace *x, int folder, struct str path, int depth)
{
	char **names;
	size_t n = names_in(x, folder, &names);

	for (size_t i = 0; i < n && !x->more; i++)
		add(x, folder, names[i],
		    str_cat(x->arena, path, str_of(names[i])), depth);
}

static int
by_path(const void *a, const void *b)
{
	return str_cmp(
	    ((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* ---- how much is shown of each ---- */

static int
by_size(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* Returns the length to which longer texts are cut, so that all texts fit. */
static size_t
share_of(const struct workspace *x)
{
	size_t *sizes = arena_new_n(x->arena, size_t, x->n + 1);
	size_t n = 0, left = x->most;

	for (size_t i = 0; i < x->n; i++)
		if (x->files[i].link.s == NULL && x->files[i].why == NULL)
			sizes[n++] = x->files[i].size;
	qsort(sizes, n, sizeof *sizes, by_size);
	for (size_t i = 0; i < n; i++) {
		if (sizes[i] > left / (n - i))
			return left / (n - i);
		left -= sizes[i];
	}
	return x->most;
}

/* Returns the text without an incomplete character at its end. */
static struct str
without_torn(struct str text)
{
	for (size_t torn = 1; torn < 4 && torn <= text.n; torn++)
		if (utf8_is_cut(text.s + text.n - torn, torn))
			return str_slice(text, 0, text.n - torn);
	return text;
}

static struct str
redact(const struct workspace *x, struct str text)
{
	return x->redaction == NULL
	    ? text
	    : redact_text(x->redaction, unicode_repair(x->arena, text));
}

/* Writes the text, which is redacted before it is cut: half of a secret cannot
 * be recognised. */
static void
put_text(struct out *o, const struct workspace *x, const struct file *f,
    size_t share)
{
	size_t most =
	    x->redaction == NULL || share > LOOK_MAX ? share : LOOK_MAX;
	struct str text = STR("");
	bool whole;

	workspace_read(x->arena, x->folder, f->path, most, &text);
	whole = text.n >= f->size && text.n <= share;
	text = redact(x, text);
	if (!whole)
		text = without_torn(str_slice(text, 0, share));
	out_key(o, "text");
	out_json_str(o, text);
	if (!whole) {
		out_member_str(o, "shown",
		    str_printf(x->arena, "only the first %zu of %zu bytes",
			text.n, f->size));
	}
}

static void
put_file(struct out *o, const struct workspace *x, const struct file *f,
    size_t share)
{
	out_begin(o, '{');
	out_key(o, "path");
	out_json_str(o, redact(x, f->path));
	if (f->link.s != NULL) {
		out_key(o, "link");
		out_json_str(o, redact(x, f->link));
	} else if (f->why != NULL) {
		out_member_str(o, "shown",
		    str_printf(
			x->arena, "nothing of %zu bytes: %s", f->size, f->why));
	} else {
		put_text(o, x, f, share);
	}
	out_end(o, '}');
}

struct str
workspace_files_write(struct arena *a, const char *folder,
    struct redaction *redaction, size_t most, struct str *why)
{
	struct workspace x = { .arena = a,
		.folder = folder,
		.redaction = redaction,
		.most = most };
	int fd = open_folder(AT_FDCWD, folder);
	struct out o;
	size_t share;

	if (fd >= 0) {
		collect(&x, fd, STR(""), 0);
		close(fd);
	} else {
		x.failed = errno;
	}
	if (x.failed != 0) {
		*why = str_printf(a, "the run's folder '%s' cannot be read: %s",
		    folder, strerror(x.failed));
		return (struct str){ 0 };
	}
	if (x.n > 1)
		qsort(x.files, x.n, sizeof *x.files, by_path);
	share = share_of(&x);
	out_open_memory(&o);
	out_begin(&o, '[');
	for (size_t i = 0; i < x.n; i++)
		put_file(&o, &x, &x.files[i], share);
	if (x.more) {
		out_begin(&o, '{');
		out_key(&o, "shown");
		out_json_str(
		    &o, str_printf(a, "no more than %d files", FILES_MAX));
		out_end(&o, '}');
	}
	out_end(&o, ']');
	return out_keep(&o, a);
}
