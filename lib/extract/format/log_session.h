/*
 * The sessions of a log, whose records may be interleaved: each session has a run and
 * a state of the format of its own. log_run (log_format.h), which names the session
 * of the record, changes to that session's.
 */
#pragma once

#include "extract/format/log_format.h"

/* Begins a log, in which no session is known. */
void log_sessions_begin(struct log *);

/* Makes the session with this id (a string that is not empty) the current one:
 * log->id, log->state and the open run become the session's. A session that is new
 * begins a run, unless the log has had no session, or `joins` is true: then the
 * open run goes on with this id, and a record that joins may still have the id
 * before. */
void log_session(struct log *, const struct json *id, bool joins);

/* Return whether the id is one of the current session's, or of any session that may
 * go on. */
bool log_session_has(const struct log *, struct str id);
bool log_session_known(const struct log *, struct str id);
