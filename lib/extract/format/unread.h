/*
 * Records and blocks that a log format does not know. Each is counted in its run.
 * If it may be a call, a result, or a text of the agent, the run says that its
 * calls or its texts may be incomplete, since a call that is missing would make
 * "no such call" true.
 */
#pragma once

#include "extract/format/log_format.h"

/* Counts the record, or a part of it, as unread. Opens no run. */
void log_unread(struct log *, const struct json *);

/* Like log_unread, where the caller knows what may be lost: RUN_LOST_... */
void log_unread_as(struct log *, const struct json *, unsigned lost);

/* builder_unread_part, for rows. */
void log_unread_block(struct log *, const struct json *block);

/* Counts a value after it was read, unless a call, a result or something unread was
 * reported of the value (builder->reported): as unread if no rule is for the value
 * (`known` is false) and nothing was reported; and as a value with which may be
 * lost what it looks like, of `may_lose` (RUN_LOST_...). Returns what may be
 * lost. */
unsigned unread_account(struct builder *, struct arena *, const struct json *,
    bool known, unsigned may_lose);

/* Returns what may be lost with a value that is not read: RUN_LOST_... */
unsigned unread_lost(const struct json *);

/* Returns the kind of the value, in the arena: its type, or what else says what it
 * is; else the names of its first members. */
struct str unread_kind(struct arena *, const struct json *);
