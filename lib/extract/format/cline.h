/*
 * Modules of the reader of Cline's files (cline.c).
 */
#pragma once

#include "extract/format/log_format.h"

/* ---- api_conversation_history.json (cline_history.c) ---- */

/* Returns whether the record is the list of messages that the program sent to
 * the model. */
bool cline_history_is(const struct json *record);

/* Reads the list as a run. */
void cline_history_read(struct log *, const struct json *list);
