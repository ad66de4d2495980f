/* Catches what the code under test prints on stderr. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/str.h"

struct messages {
	FILE *file;
	int stderr_fd;
};

static inline struct messages
messages_catch(void)
{
	struct messages m = { tmpfile(), dup(2) };

	if (m.file == NULL || m.stderr_fd < 0 || dup2(fileno(m.file), 2) < 0)
		abort();
	return m;
}

/* Ends the catching. Returns all messages since messages_catch. */
static inline struct str
messages_end(struct messages m, struct arena *a)
{
	char *text;
	long size;

	dup2(m.stderr_fd, 2);
	close(m.stderr_fd);
	size = lseek(fileno(m.file), 0, SEEK_END);
	text = arena_alloc(a, (size_t)size + 1);
	rewind(m.file);
	size = (long)fread(text, 1, (size_t)size, m.file);
	fclose(m.file);
	return (struct str){ text, (size_t)size };
}
