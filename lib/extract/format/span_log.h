/* Formats whose records are spans that log_keep keeps: log->state is the set of the
 * spans of the group. */
#pragma once

#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "extract/span/spans.h"

static inline struct spans *
log_spans(struct log *log)
{
	return spans_in(log->arena, &log->state);
}

/* Adds a span at the place of the value. */
static inline struct span *
log_add_span(struct log *log, const struct json *v)
{
	struct place at = log_place(log, v);

	return spans_add(log_spans(log), at.file, at.line);
}

/* Reports the runs of the group. */
static inline void
log_end_spans(struct log *log)
{
	spans_emit(log_spans(log), log->builder, log->text);
}
