/*
 * The record that passes from tool to tool, one JSON object a line: see
 * mcpl-trace(5). Here is what every stage needs of it; members that a stage
 * does not know are passed on byte for byte.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "json.h"
#include "out.h"

/* The status of a check, and of a run (which alone may be unchecked). */
enum status {
	STATUS_PASSED,
	STATUS_FAILED,
	STATUS_ERROR,
	STATUS_PENDING,
	STATUS_SKIPPED,
	STATUS_UNCHECKED,
	STATUS_COUNT,
};

const char *status_name(enum status);
/* False if it names none. */
bool status_of(struct str name, enum status *);

/* Whether the record is a trace of a version that this program reads. */
bool trace_is(const struct json *record);

/* A run's status from how many of its checks have each status; `error`: the
 * run itself failed. */
enum status trace_status(const size_t counts[STATUS_COUNT], bool error);

/*
 * Writes the record, its members as they stood but for those named in drop
 * (a NULL-terminated list), with `members` (JSON text, as {"a":1,"b":2}
 * without the braces; may be empty) before its closing brace. No newline.
 */
void trace_splice(struct out *, const struct json *record,
    const char *const drop[], struct str members);

#endif
