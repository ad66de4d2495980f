/* A file in memory that has a path. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"

struct memory_file {
	int fd;
	char path[32];
};

static inline struct memory_file
memory_file(struct str bytes)
{
	struct memory_file f = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

	if (f.fd < 0 || write(f.fd, bytes.s, bytes.n) != (ssize_t)bytes.n)
		abort();
	snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
	return f;
}
