/*
 * Writes runs in other formats instead of as traces. To add a format, write
 * lib/extract/export/NAME.c and add a row to the table in export.c.
 */
#pragma once

#include "base/diag.h"
#include "extract/run/time_range.h"
#include "extract/run/trace_write.h"
#include "json/json.h"

struct export_run;

struct export
{
	const char *name;
	/* Writes the members of the run's object, or the run's lines. */
	void (*write)(struct out *, const struct export_run *);
	bool lines; /* write() begins and ends its lines itself */
	/* The format needs the run's final id: a thread that reads a part of
	 * the input, and writes marks in place of numbers (run/run_ids.h),
	 * cannot write the format. */
	bool in_order;
	/* The lines are no records. write() shortens the results. */
	bool for_people;
};

/* The names of the formats, NULL-terminated. */
extern const char *const export_names[];

/* Returns the format of this name, or NULL. */
const struct export *export_named(const char *name);

/* Writes a run in the format options->to. Has the type of trace_write, which
 * this function replaces. */
void export_write(
    struct out *, const struct trace_options *, const struct trace_part *);

/* Writes a trace, which mcpl-extract or a later tool wrote, in the format
 * options->to. The options that set members or shorten results apply as they do
 * to a log. */
void export_trace(struct out *, const struct trace_options *,
    const struct json *record, struct place);

/* Returns whether the trace overlaps the period (NULL: any time). */
bool export_is_in_period(
    const struct json *trace, const struct time_range *period);
