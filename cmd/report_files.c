#include "cmd/report_files.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "report/tally/partial.h"

#define SUFFIX ".runs"

static bool
begins_runs(const char *path)
{
	char text[sizeof PARTIAL_RUNS_BEGINS - 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof text &&
	    memcmp(text, PARTIAL_RUNS_BEGINS, sizeof text) == 0;
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

		if (name.s == NULL || hash_get(&names, name) == NULL ||
		    !begins_runs(*f))
			*kept++ = *f;
	}
	*kept = NULL;
	arena_free(&a);
}
