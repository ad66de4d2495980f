/* The end of a turn, as Grok tells it. */
#pragma once

#include "extract/run/builder.h"

/* How the turn ended, and what each model used in it. */
void acp_turn_end(struct builder *, const struct json *update);
