#include "io/converter.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/slurp.h"
#include "io/temporary.h"

enum { START_MAX = 4096 };

static const struct converter *
owner(const struct converter *list, struct str start)
{
	if (str_starts(start, "\xef\xbb\xbf"))
		start = str_from(start, 3);
	for (; list != NULL && list->owns != NULL; list++)
		if (list->owns(start))
			return list;
	return NULL;
}

bool
converter_owns(const struct converter *list, struct str start)
{
	return owner(list, start) != NULL;
}

static const struct converter *
owner_of_file(const struct converter *list, int fd)
{
	char start[START_MAX];
	struct stat st;
	ssize_t n;

	if (list == NULL || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	do
		n = pread(fd, start, sizeof start, lseek(fd, 0, SEEK_CUR));
	while (n < 0 && errno == EINTR);
	return n <= 0 ? NULL : owner(list, (struct str){ start, (size_t)n });
}

/* Writes the file as JSON into a temporary file. Returns its descriptor, or -1 after a
 * message. */
static int
convert(const struct converter *c, int fd, const char *file, size_t most)
{
	struct arena a = { 0 };
	struct place at = { .file = file };
	struct str text, json;
	struct out out;
	int to = -1;

	if (!slurp(&a, fd, most, &text)) {
		diag_error(at, "cannot read:");
	} else if (text.n >= most) {
		diag_error(
		    at, "is larger than %zu bytes (see --max-line)", most);
	} else {
		out_open_memory(&out);
		if (c->convert(&out, text, file)) {
			json = out_memory(&out);
			to = temporary_file();
			temporary_write(to, json.s, json.n);
			lseek(to, 0, SEEK_SET);
		}
		out_close(&out);
	}
	arena_free(&a);
	return to;
}

int
converter_open(
    const struct converter *list, int fd, const char *file, size_t most)
{
	const struct converter *c = owner_of_file(list, fd);
	int to;

	if (c == NULL)
		return fd;
	to = convert(c, fd, file, most);
	if (fd != STDIN_FILENO)
		close(fd);
	return to;
}
