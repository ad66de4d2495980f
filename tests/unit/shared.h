/* Reads shared test data in $SHARED, or in ../shared beside the repository. Tests whose
 * data is missing print the path, and are skipped. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"

static inline const char *
shared_path(struct arena *a, const char *name)
{
	const char *folder = getenv("SHARED");

	return str_printf(
	    a, "%s/%s", folder == NULL ? "../shared" : folder, name)
	    .s;
}

/* Reads a whole file. Returns false after a line on stdout if there is no such file. */
static inline bool
shared_read(struct arena *a, const char *name, struct str *text)
{
	FILE *f = fopen(shared_path(a, name), "rb");
	char *buf = NULL;
	long size;

	if (f == NULL) {
		printf("%s: missing, nothing checked\n", shared_path(a, name));
		return false;
	}
	if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
		rewind(f);
		buf = arena_alloc(a, (size_t)size);
		*text = (struct str){ buf, fread(buf, 1, (size_t)size, f) };
	}
	fclose(f);
	return buf != NULL;
}
