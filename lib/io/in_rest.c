/* How much of the input is still to come. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/in.h"

static int64_t
size_of(int failed, const struct stat *st)
{
	return failed != 0 || !S_ISREG(st->st_mode) ? -1 : st->st_size;
}

int64_t
in_bytes_left(const struct in *in)
{
	bool standard = in->standard_input && in->fd < 0;
	struct stat st;
	int64_t left = 0, size;

	if (in->fd >= 0 || standard) {
		left =
		    size_of(fstat(standard ? STDIN_FILENO : in->fd, &st), &st);
		if (left < 0)
			return left;
		left -= standard ? 0 : (int64_t)(in->base + in->next);
	}
	for (char **f = in->files; f != NULL && *f != NULL; f++) {
		size = strcmp(*f, "-") == 0
		    ? size_of(fstat(STDIN_FILENO, &st), &st)
		    : size_of(stat(*f, &st), &st);
		if (size < 0)
			return size;
		left += size;
	}
	return left < 0 ? 0 : left;
}
