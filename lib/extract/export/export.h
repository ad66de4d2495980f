/*
 * Writes runs in formats of other tools instead of as traces. To add a format,
 * write lib/extract/export/NAME.c and add a row to the table in export.c.
 */
#pragma once

#include "extract/run/trace_write.h"

struct export_run;

struct export
{
	const char *name;
	/* Writes the members of the run's object. */
	void (*write)(struct out *, const struct export_run *);
};

/* Returns the format of this name, or NULL. */
const struct export *export_named(const char *name);

/* Writes a run as one line in the format options->to. Has the type of
 * trace_write, which this function replaces. */
void export_write(
    struct out *, const struct trace_options *, const struct trace_part *);
