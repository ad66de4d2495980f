#include "io/converter.h"

#include <errno.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/slurp.h"
#include "io/temporary.h"

enum converter_owns
converter_begins(struct str start, struct str mark)
{
	return str_starts(start, mark)                    ? CONVERTER_OWNS
	    : start.n < mark.n && str_starts(mark, start) ? CONVERTER_NEEDS_MORE
							  : CONVERTER_OWNS_NOT;
}

/* Returns the converter that owns the text, and the best answer of all. */
static const struct converter *
owner(const struct converter *list, struct str start, enum converter_owns *best)
{
	*best = CONVERTER_OWNS_NOT;
	if (str_starts(start, "\xef\xbb\xbf"))
		start = str_from(start, 3);
	for (; list != NULL && list->owns != NULL; list++) {
		enum converter_owns owns = list->owns(start);

		if (owns > *best)
			*best = owns;
		if (owns == CONVERTER_OWNS)
			return list;
	}
	return NULL;
}

enum converter_owns
converter_owns(const struct converter *list, struct str start)
{
	enum converter_owns best;

	(void)owner(list, start, &best);
	return best;
}

/* Writes the text as JSON into a temporary file: `start`, and what follows in `fd`.
 * Returns its descriptor, or -1 after a message. */
static int
convert(const struct converter *c, struct str start, int fd, const char *file,
    size_t most)
{
	struct arena a = { 0 };
	struct place at = { .file = file };
	struct str text = { 0 }, json;
	struct out out;
	int to = -1;

	if (fd >= 0 && !slurp(&a, fd, most, &text)) {
		diag_error(at, "cannot read:");
	} else if (start.n + text.n >= most) {
		diag_error(
		    at, "is larger than %zu bytes (see --max-line)", most);
	} else {
		out_open_memory(&out);
		if (c->convert(&out, str_cat(&a, start, text), file)) {
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
converter_read(const struct converter *list, struct str start, int fd,
    const char *file, size_t most)
{
	enum converter_owns owns;

	return convert(owner(list, start, &owns), start, fd, file, most);
}

int
converter_open(
    const struct converter *list, int fd, const char *file, size_t most)
{
	char start[CONVERTER_START_MAX];
	const struct converter *c;
	enum converter_owns owns;
	ssize_t n;
	int to;

	do
		n = pread(fd, start, sizeof start, lseek(fd, 0, SEEK_CUR));
	while (n < 0 && errno == EINTR);
	c = n <= 0 ? NULL
		   : owner(list, (struct str){ start, (size_t)n }, &owns);
	if (c == NULL)
		return fd;
	to = convert(c, (struct str){ 0 }, fd, file, most);
	if (fd != STDIN_FILENO)
		close(fd);
	return to;
}
