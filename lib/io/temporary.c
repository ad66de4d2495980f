#include "io/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/str.h"

int
temporary_file(void)
{
	const char *folder = getenv("TMPDIR");
	struct arena a = { 0 };
	char *path;
	int fd;

	if (folder == NULL || *folder == '\0')
		folder = "/tmp";
	path = str_c(&a, str_printf(&a, "%s/mcpl.XXXXXX", folder));
	fd = mkstemp(path);
	if (fd < 0)
		diag_die("%s: cannot make a temporary file:", folder);
	unlink(path);
	arena_free(&a);
	return fd;
}

void
temporary_write(int fd, const char *bytes, size_t n)
{
	while (n != 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			diag_die("cannot write a temporary file:");
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}
