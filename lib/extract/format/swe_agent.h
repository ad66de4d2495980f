/* The part that trajectories of SWE-agent and of mini-swe-agent share. */
#pragma once

#include "extract/format/log_format.h"

/* Reads the end of a run: its outcome, its duration and its usage. */
void swe_agent_info(struct builder *, const struct json *info);
