/* The checks of unit tests. A check that fails prints a message and is counted; the
 * exit status is 1 if a check failed. */
#pragma once

#include <stdio.h>

#include "base/str.h"

static int unit_failures;

#define FAIL(what) \
	((void)(unit_failures++, \
	    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, what)))

#define CHECK(condition) ((condition) ? (void)0 : FAIL(#condition))

#define CHECK_STR(got, want) \
	unit_check_str((got), str_of(want), __FILE__, __LINE__)

static inline void
unit_check_str(struct str got, struct str want, const char *file, int line)
{
	if (str_eq(got, want))
		return;
	unit_failures++;
	fprintf(stderr, "%s:%d: got \"%.*s\", want \"%.*s\"\n", file, line,
	    STR_FMT(got), STR_FMT(want));
}

static inline int
unit_status(void)
{
	return unit_failures != 0;
}
