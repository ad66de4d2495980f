/* Checks that the output of mcpl-extract is traces. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

static inline void
check_trace(struct str line)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *record = json_read(&reader, line, NULL, &error);
	struct trace t;

	/* A value at the depth limit of the input may be nested deeper in a record. */
	if (record == NULL ? strstr(error.why, "deeply") == NULL
			   : !trace_read(&t, record))
		abort();
	json_reader_free(&reader);
}

static inline void
check_traces(struct str text)
{
	while (text.n != 0)
		check_trace(str_cut(&text, '\n'));
}
