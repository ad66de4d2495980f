/* A temporary file, which the test removes. */
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"

struct temporary {
	char path[32];
};

static inline struct temporary
temporary_file(struct str text)
{
	struct temporary t = { "/tmp/mcpl-test-XXXXXX" };
	int fd = mkstemp(t.path);

	if (fd < 0 || write(fd, text.s, text.n) != (ssize_t)text.n)
		abort();
	close(fd);
	return t;
}
