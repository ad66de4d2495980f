/* What mcpl-extract writes, whatever it has read, is traces. */
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

	/* What was read at the depth limit may be written below it. */
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
