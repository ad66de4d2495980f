/*
 * Records that are read group by group when the file ends, as the spans of a trace are,
 * in whatever order they were logged. Of each record only its place is kept; the memory
 * of a group ends with the group.
 */
#pragma once

#include "extract/format/log_format.h"
#include "io/text_store.h"

typedef void log_keep_read(struct log *, const struct json *);

/* Keeps the value, which lies in the record that is read, for the group of this name (a
 * body; absent: that of all values without a name). When the file ends, the groups are
 * read in the order in which they began, those of `late` after all others: log->state is
 * NULL at the start of a group, log->arena lives as long as the group, and so do the
 * values that `read` is called with; at the end of a group the format's `end` is
 * called, and the open run ends. */
void log_keep(struct log *, struct str name, bool late, log_keep_read *read,
    const struct json *);

/* Returns whether any value was kept for a late group, or for that of this name. */
bool log_keeps_any_late(const struct log *);
bool log_keeps_late(const struct log *, struct str name);

/* Reads what was kept, if anything was; else calls the format's `end`, and `end_run`
 * if no run is open, where the format has them. goes_on, unless NULL, is called after
 * each group, and returns whether to continue. */
void log_end(struct log *, bool (*goes_on)(void *), void *arg);
