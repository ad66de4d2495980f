/*
 * Modules of the reader of Cline's files (cline.c).
 */
#pragma once

#include "extract/format/log_format.h"

/* ---- api_conversation_history.json (cline_history.c) ---- */

/* The list of messages that the program sent to the model. */
#define CLINE_BEGIN "<task>*|<user_message>*|<environment_details>*"
#define CLINE_HISTORY \
	"0.role=user 0.content=" CLINE_BEGIN ", " \
	"0.role=user 0.content.*.text=" CLINE_BEGIN

/* Reads the list as a run. */
void cline_history_read(struct log *, const struct json *list);
